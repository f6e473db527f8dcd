#include "core/quantiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "dualkpca/core/random.hpp"

namespace dualkpca::quantiles_test {
namespace {

TEST(Quantiles, AreThoseOfPublishedTables) {
  EXPECT_NEAR(chi2_quantile(0.99, 5), 15.0863, 5e-5);
  EXPECT_NEAR(chi2_quantile(0.95, 1), 3.8415, 5e-5);
  EXPECT_NEAR(chi2_quantile(0.999, 20), 45.315, 5e-4);
  EXPECT_NEAR(f_quantile(0.95, 3, 20), 3.0984, 5e-5);
  EXPECT_NEAR(f_quantile(0.99, 10, 60), 2.6318, 5e-5);
}

TEST(WeightedChi2, OfOneWeightIsExact) {
  EXPECT_NEAR(weighted_chi2_quantile(0.99, Vector::Constant(5, 2)), 2 * chi2_quantile(0.99, 5), 1e-9);
  EXPECT_NEAR(weighted_chi2_quantile(0.99, Vector::Constant(5, 2e-150)) / 2e-150, chi2_quantile(0.99, 5), 1e-9);
  EXPECT_EQ(weighted_chi2_quantile(0.99, Vector::Zero(5)), 0);
}

// With 200000 draws the 0.99 quantile has a standard error of about 0.4 %. The approximation has an error below 1 %.
TEST(WeightedChi2, IsNearTheQuantileOfDraws) {
  constexpr Index draws = 200000;
  for (const double decay : {1.0, 0.9, 0.6}) {
    Vector weights(12);
    for (Index j = 0; j < weights.size(); ++j) weights[j] = std::pow(decay, static_cast<double>(j));
    const Vector sums = random_normal(draws, weights.size(), 3).cwiseAbs2() * weights;
    std::vector<double> sorted(sums.begin(), sums.end());
    std::sort(sorted.begin(), sorted.end());
    for (const double level : {0.95, 0.99}) {
      const double drawn = sorted[static_cast<std::size_t>(level * draws)];
      EXPECT_NEAR(weighted_chi2_quantile(level, weights), drawn, 0.015 * drawn) << decay << ' ' << level;
    }
  }
}

}  // namespace
}  // namespace dualkpca::quantiles_test
