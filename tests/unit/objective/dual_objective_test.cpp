#include "dualkpca/objective/dual_objective.hpp"

#include <gtest/gtest.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::dual_objective_test {
namespace {

constexpr Index n = 40, s = 5;
constexpr RankRule exact{.relative = 1e-13, .absolute = 0};

Matrix gram() {
  const Matrix X = random_normal(n, 4, 1);
  return test::naive_kernel_matrix({KernelName::rbf, 0.3, 1, 0}, X, X);
}

// Returns d by its definition, with a matrix square root.
double naive_dual(const Matrix& G, const Matrix& H) {
  const Matrix S = H.transpose() * G * H;
  return 0.5 * H.squaredNorm() - test::SymmetricEigen(S).eigenvalues().cwiseMax(0).cwiseSqrt().sum();
}

TEST(DualObjective, ValueEqualsItsDefinition) {
  const Matrix G = gram(), H = random_normal(n, s, 2);
  EXPECT_NEAR(evaluate_dual(H, G * H, exact).value, naive_dual(G, H), 1e-11);
}

TEST(DualObjective, GradientEqualsDifferencesOfTheValue) {
  const Matrix G = gram(), H = random_normal(n, s, 3);
  const Matrix gradient = H - evaluate_dual(H, G * H, exact).Y;
  for (const std::uint64_t seed : {4, 5, 6}) {
    const Matrix D = random_normal(n, s, seed);
    const double h = 1e-6, slope = (naive_dual(G, H + h * D) - naive_dual(G, H - h * D)) / (2 * h);
    EXPECT_NEAR(gradient.cwiseProduct(D).sum(), slope, 1e-6 * D.norm() * gradient.norm());
  }
}

TEST(DualObjective, LineEqualsThePointwiseValueAndSlope) {
  const Matrix G = gram(), H = random_normal(n, s, 7), D = random_normal(n, s, 8);
  const DualLine line(H, G * H, D, G * D, exact);
  for (const double a : {0.0, 0.3, 1.0, -0.5, 4.0}) {
    const Matrix at = H + a * D;
    EXPECT_NEAR(line.at(a).value, naive_dual(G, at), 1e-10);
    EXPECT_NEAR(line.at(a).slope, (at - evaluate_dual(at, G * at, exact).Y).cwiseProduct(D).sum(), 1e-9);
  }
}

// Rayleigh-Ritz gives the exact minimiser of d over a subspace: no random H in it is better, and its value is known.
TEST(DualObjective, RitzPointMinimisesOverTheRange) {
  const Matrix G = gram(), H = random_normal(n, s, 9);
  const RitzPoint ritz = ritz_point(H, G * H, exact);
  const double best = naive_dual(G, ritz.H);
  EXPECT_NEAR(best, -0.5 * ritz.theta.sum(), 1e-11);
  EXPECT_LE((ritz.GH - G * ritz.H).norm(), 1e-10);
  for (std::uint64_t seed = 10; seed < 60; ++seed) {
    const Matrix C = random_normal(s, s, seed);
    EXPECT_GE(naive_dual(G, ritz.H + 0.1 * H * C), best);
    EXPECT_GE(naive_dual(G, H * C), best);
  }
}

// With the square loss, the DC algorithm H+ = Y(H) is subspace iteration, so Y(H) has the range of G H.
TEST(DualObjective, DcStepIsSubspaceIteration) {
  const Matrix G = gram(), H = random_normal(n, s, 61);
  const Matrix Y = evaluate_dual(H, G * H, exact).Y, GH = G * H;
  const Matrix projected = GH * test::inverse_of(GH.transpose() * GH) * (GH.transpose() * Y);
  EXPECT_LE((projected - Y).norm(), 1e-8 * Y.norm());
}

// For every H, d(Y) <= -1/2|Y|^2 <= d(H) - 1/2|H - Y|^2: the primal cost lies between two steps of the dual.
TEST(DualObjective, PrimalCostIsSandwiched) {
  const Matrix G = gram();
  for (std::uint64_t seed = 70; seed < 90; ++seed) {
    const Matrix H = random_normal(n, s, seed);
    const Matrix Y = evaluate_dual(H, G * H, exact).Y;
    const double primal = -0.5 * Y.squaredNorm();
    EXPECT_LE(naive_dual(G, Y), primal + 1e-10);
    EXPECT_LE(primal, naive_dual(G, H) - 0.5 * (H - Y).squaredNorm() + 1e-10);
  }
}

TEST(DualObjective, DependentColumnsGiveFiniteResults) {
  const Matrix G = gram();
  Matrix H = random_normal(n, s, 91);
  H.col(3) = H.col(0);
  H.col(4).setZero();
  const DualEvaluation at = evaluate_dual(H, G * H, exact);
  EXPECT_TRUE(at.Y.allFinite());
  EXPECT_EQ(at.root.values.size(), 3);
  // pi and <Y, H> stay equal, because the same directions are dropped from both.
  EXPECT_NEAR(at.root.trace_root(), at.Y.cwiseProduct(H).sum(), 1e-9);
  EXPECT_EQ(ritz_point(H, G * H, exact).theta.size(), 3);
}

TEST(RequirePositive, AllowsRoundingAndRefusesMore) {
  EXPECT_NO_THROW(require_positive(-0.9e-5, 1, {.relative = 1e-6, .absolute = 0}));
  EXPECT_THROW(require_positive(-2e-5, 1, {.relative = 1e-6, .absolute = 0}), DataError);
  // A kernel matrix may have large entries and a small centred part. Its rounding must not be refused.
  EXPECT_NO_THROW(require_positive(-0.5, 1, {.relative = 1e-6, .absolute = 0.1}));
}

}  // namespace
}  // namespace dualkpca::dual_objective_test
