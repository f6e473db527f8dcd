#include "solver/wolfe.hpp"

#include <gtest/gtest.h>

#include "dualkpca/core/random.hpp"
#include "support/naive.hpp"

namespace dualkpca::wolfe_test {
namespace {

constexpr RankRule rule{.relative = 1e-12, .absolute = 0};

class WolfeStep : public testing::TestWithParam<double> {
 protected:
  // Returns the line along the gradient times a factor, which makes the first trial far too short, right, or far too
  // long.
  DualLine line(double factor) const {
    const Matrix D = factor * (evaluate_dual(H, G * H, rule).Y - H);
    return {H, G * H, D, G * D, rule};
  }
  const Matrix X = random_normal(30, 3, 1);
  const Matrix G = test::naive_kernel_matrix({KernelName::rbf, 0.5, 1, 0}, X, X);
  const Matrix H = random_normal(30, 4, 2);
};

TEST_P(WolfeStep, SatisfiesBothConditions) {
  const DualLine phi = line(GetParam());
  const auto start = phi.at(0);
  const auto step = wolfe_step(phi, start);
  ASSERT_TRUE(step.has_value());
  EXPECT_GT(*step, 0);
  EXPECT_LE(phi.at(*step).value, start.value + 1e-4 * *step * start.slope);
  EXPECT_LE(std::abs(phi.at(*step).slope), 0.1 * std::abs(start.slope));
}
INSTANTIATE_TEST_SUITE_P(FromShortToLong, WolfeStep, testing::Values(1e-4, 0.05, 1.0, 7.0, 1e3));

TEST_F(WolfeStep, ThereIsNoneUphill) {
  const DualLine phi = line(-1);
  EXPECT_FALSE(wolfe_step(phi, phi.at(0)).has_value());
}

}  // namespace
}  // namespace dualkpca::wolfe_test
