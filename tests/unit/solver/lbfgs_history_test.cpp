#include "solver/lbfgs_history.hpp"

#include <gtest/gtest.h>

#include "dualkpca/core/random.hpp"
#include "support/decompositions.hpp"

namespace dualkpca::lbfgs_history_test {
namespace {

constexpr Index n = 6, s = 2;

Vector flat(const Matrix& M) { return Eigen::Map<const Vector>(M.data(), M.size()); }

// Returns the pairs of a quadratic with a known positive definite Hessian.
LbfgsHistory quadratic_history(int pairs, std::size_t memory, Matrix* dense) {
  const Matrix root = random_normal(n * s, n * s, 1);
  const Matrix hessian = root * root.transpose() / (n * s) + Matrix::Identity(n * s, n * s);
  LbfgsHistory history(memory);
  Matrix inverse = Matrix::Identity(n * s, n * s);
  for (int i = 0; i < pairs; ++i) {
    const Matrix step = random_normal(n, s, static_cast<std::uint64_t>(10 + i));
    Matrix change(n, s);
    Eigen::Map<Vector>(change.data(), change.size()) = hessian * flat(step);
    // BFGS update of the inverse, as a dense matrix. The first pair scales the identity, as the last pair does in the
    // two-loop recursion.
    const Vector p = flat(step), y = flat(change);
    if (pairs == 1) inverse *= p.dot(y) / y.squaredNorm();
    const double rho = 1 / p.dot(y);
    const Matrix left = Matrix::Identity(n * s, n * s) - rho * p * y.transpose();
    inverse = left * inverse * left.transpose() + rho * p * p.transpose();
    history.push(step, change);
  }
  if (dense != nullptr) *dense = inverse;
  return history;
}

TEST(LbfgsHistory, OnePairEqualsTheDenseUpdate) {
  Matrix inverse;
  const LbfgsHistory history = quadratic_history(1, 10, &inverse);
  const Matrix gradient = random_normal(n, s, 99);
  EXPECT_LE((flat(history.direction(gradient)) + inverse * flat(gradient)).norm(),
            1e-12 * gradient.norm() * inverse.norm());
}

TEST(LbfgsHistory, WithoutPairsItIsSteepestDescent) {
  const Matrix gradient = random_normal(n, s, 99);
  EXPECT_EQ(LbfgsHistory(10).direction(gradient), -gradient);
}

TEST(LbfgsHistory, LatestPairSatisfiesTheSecantEquation) {
  LbfgsHistory history = quadratic_history(15, 5, nullptr);
  const Matrix step = random_normal(n, s, 50), change = 2 * step + 0.1 * random_normal(n, s, 51);
  history.push(step, change);
  EXPECT_LE((history.direction(change) + step).norm(), 1e-10 * step.norm());
}

TEST(LbfgsHistory, CommutesWithRotations) {
  LbfgsHistory history = quadratic_history(4, 10, nullptr);
  const Matrix gradient = random_normal(n, s, 99);
  const Matrix R = test::orthonormal(random_normal(s, s, 3));
  const Matrix expected = history.direction(gradient) * R;
  history.rotate(R);
  EXPECT_LE((history.direction(gradient * R) - expected).norm(), 1e-10 * expected.norm());
}

TEST(LbfgsHistory, LeavesOutNegativeCurvature) {
  LbfgsHistory history(10);
  const Matrix step = random_normal(n, s, 1);
  history.push(step, -step);
  EXPECT_TRUE(history.empty());
}

}  // namespace
}  // namespace dualkpca::lbfgs_history_test
