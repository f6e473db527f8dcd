#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/kernel/kernel_params.hpp"
#include "support/csr.hpp"

namespace dualkpca::bandwidth_test {
namespace {

double resolve(KernelName name, GammaRule rule, const Matrix& X) {
  return resolve_gamma({.name = name, .gamma = rule}, X, Scaler{}, 0);
}

TEST(Bandwidth, AutomaticIsOneOverColumns) {
  EXPECT_DOUBLE_EQ(resolve(KernelName::rbf, GammaRule::automatic, random_normal(9, 4, 1)), 0.25);
}

TEST(Bandwidth, ScaleUsesTheVarianceOfAllEntries) {
  Matrix X(2, 2);
  X << 1, 2, 3, 6;  // mean 3, variance (4 + 1 + 0 + 9) / 4 = 3.5
  EXPECT_DOUBLE_EQ(resolve(KernelName::rbf, GammaRule::scale, X), 1 / 7.0);
  EXPECT_DOUBLE_EQ(resolve(KernelName::laplace, GammaRule::scale, X), 1 / std::sqrt(7.0));
}

TEST(Bandwidth, MedianOfThePairs) {
  Matrix X(4, 1);
  X << 0, 1, 3, 7;  // distances 1 3 7 2 6 4: median 3.5; squares 1 4 9 16 36 49: median 12.5
  EXPECT_DOUBLE_EQ(resolve(KernelName::rbf, GammaRule::median, X), 1 / 12.5);
  EXPECT_DOUBLE_EQ(resolve(KernelName::laplace, GammaRule::median, X), 1 / 3.5);
}

TEST(Bandwidth, MostlyEqualRowsFallBackToTheMean) {
  Matrix X = Matrix::Zero(10, 1);
  X(9, 0) = 3;  // 9 of 45 pairs are 3 apart
  EXPECT_DOUBLE_EQ(resolve(KernelName::laplace, GammaRule::median, X), 1 / 0.6);
  EXPECT_DOUBLE_EQ(resolve(KernelName::rbf, GammaRule::median, X), 1 / 1.8);
}

TEST(Bandwidth, EqualRowsHaveNone) {
  const Matrix X = Matrix::Constant(5, 2, 1.0);
  EXPECT_THROW((void)resolve(KernelName::rbf, GammaRule::median, X), DataError);
  EXPECT_THROW((void)resolve(KernelName::rbf, GammaRule::scale, X), DataError);
}

TEST(Bandwidth, SampledMedianIsCloseToTheFullOne) {
  const Matrix X = random_normal(3000, 5, 2);
  std::vector<double> all;
  for (Index i = 0; i < 3000; i += 3)
    for (Index j = 1; j < i; j += 7) all.push_back((X.row(i) - X.row(j)).squaredNorm());
  std::nth_element(all.begin(), all.begin() + static_cast<Index>(all.size() / 2), all.end());
  EXPECT_NEAR(resolve(KernelName::rbf, GammaRule::median, X) * all[all.size() / 2], 1, 0.03);
}

// Squares of such numbers underflow to 0 or overflow.
TEST(Bandwidth, FollowsTheUnitOfTheData) {
  const Matrix X = random_normal(40, 5, 3);
  for (const KernelName name : {KernelName::rbf, KernelName::laplace, KernelName::laplacian, KernelName::poly})
    for (const GammaRule rule : {GammaRule::scale, GammaRule::median}) {
      if (rule == GammaRule::median && name == KernelName::poly) continue;
      const bool squared = name == KernelName::rbf || name == KernelName::poly;
      for (const double factor : {1e-250, 1e-160, 1e-140, 1e-100, 1e100, 1e140, 1e160, 1e250}) {
        if (squared && std::abs(std::log10(factor)) > 150) continue;
        const double expected = resolve(name, rule, X) / factor / (squared ? factor : 1);
        EXPECT_NEAR(resolve(name, rule, factor * X) / expected, 1, 1e-12) << to_string(name) << factor;
        const CsrMatrix csr = test::csr_of(factor * X);
        EXPECT_NEAR(resolve_gamma({.name = name, .gamma = rule}, csr.view(), Scaler{}, 0) / expected, 1, 1e-12);
      }
    }
}

TEST(Bandwidth, RefusesDataWhoseGammaIsNoNumber) {
  const Matrix X = random_normal(40, 5, 3);
  for (const GammaRule rule : {GammaRule::scale, GammaRule::median})
    for (const double factor : {1e-300, 1e-160, 1e160, 1e300}) {
      try {
        (void)resolve(KernelName::rbf, rule, factor * X);
        ADD_FAILURE() << factor;
      } catch (const DataError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("gamma is no float64 number: scale the data"));
      }
    }
}

TEST(ParseGamma, TakesRulesAndPositiveNumbers) {
  EXPECT_EQ(parse_gamma("auto").rule, GammaRule::automatic);
  EXPECT_EQ(parse_gamma("scale").rule, GammaRule::scale);
  EXPECT_EQ(parse_gamma("median").rule, GammaRule::median);
  EXPECT_EQ(parse_gamma("0.25").value, 0.25);
  for (const char* bad : {"", "0", "-1", "nan", "inf", "1x", "medium"})
    EXPECT_THROW((void)parse_gamma(bad), InvalidArgument) << bad;
}

}  // namespace
}  // namespace dualkpca::bandwidth_test
