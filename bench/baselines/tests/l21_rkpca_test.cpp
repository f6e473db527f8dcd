#include <gtest/gtest.h>

#include <cmath>

#include "baselines/comparison.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "support/naive.hpp"

namespace dualkpca::baselines::l21_rkpca_test {
namespace {

L21RkpcaResult l21_of(const Matrix& K, Index s, const L21RkpcaParams& params) {
  return l21_rkpca(*make_precomputed_gram(K, Precision::float64, 1), s, params);
}

double explained_of(const Matrix& K, const Matrix& A) {
  return explained(*make_precomputed_gram(K, Precision::float64, 1), A);
}

Matrix centered_rbf(Index n, Index d, double gamma) {
  const Matrix X = random_normal(n, d, 4);
  return test::naive_centered(test::naive_kernel_matrix({KernelName::rbf, gamma, 1, 0}, X, X));
}

// For one row the objective is |sqrt(g) - a g| + lambda |a|, so a = 1/sqrt(g) if lambda < g, else 0.
TEST(L21Rkpca, OneRowByHand) {
  const Matrix G = Matrix::Constant(1, 1, 4);
  const L21RkpcaResult kept = l21_of(G, 1, {.lambda = 3.9});
  EXPECT_NEAR(std::abs(kept.A(0, 0)), 0.5, 1e-9);
  EXPECT_NEAR(kept.best_objective, 3.9 / 2, 1e-4);
  const L21RkpcaResult dropped = l21_of(G, 1, {.lambda = 4.5});
  EXPECT_EQ(dropped.A(0, 0), 0);
  EXPECT_NEAR(dropped.best_objective, 2, 1e-9);
}

// For a diagonal G and s = n the rows are independent, and the minimum is the sum of min(lambda / sqrt(g_i),
// sqrt(g_i)).
TEST(L21Rkpca, ADiagonalMatrixByHand) {
  const Vector diagonal{{4, 1, 0.25}};
  const Matrix G = diagonal.asDiagonal();
  const L21RkpcaResult result = l21_of(G, 3, {.lambda = 0.5});
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.best_objective, 0.25 + 0.5 + 0.5, 1e-4);
  EXPECT_NEAR(result.objective.back(), result.best_objective, 1e-3);
  EXPECT_TRUE(result.A.row(2).isZero(0));
  EXPECT_TRUE(result.A.col(2).isZero(0));
  EXPECT_LE((result.A.leftCols(2).transpose() * G * result.A.leftCols(2) - Matrix::Identity(2, 2)).norm(), 1e-12);
}

TEST(L21Rkpca, ResidualsGoToZeroAndTheObjectiveIsNotAboveThatOfKernelPca) {
  const Matrix G = centered_rbf(40, 3, 0.3);
  for (const double lambda : {0.001, 0.01, 0.1}) {
    for (const double mu : {0.01, 1.0}) {
      const L21RkpcaResult result = l21_of(G, 3, {.lambda = lambda, .mu = mu});
      ASSERT_TRUE(result.converged) << lambda;
      EXPECT_LE(result.iterations, 130);
      EXPECT_LT(result.residual_e.back(), 1e-5);
      EXPECT_LT(result.residual_c.back(), 1e-5);
      EXPECT_GT(result.residual_e.front(), 1e-3);
      EXPECT_LT(result.best_objective, result.objective.front());
      EXPECT_LE(result.objective.back(), result.objective.front());
      EXPECT_EQ(static_cast<Index>(result.objective.size()), result.iterations + 1);
      EXPECT_LE((result.A.transpose() * G * result.A - Matrix::Identity(3, 3)).norm(), 1e-10);
      EXPECT_LE((result.scores - G * result.A).norm(), 1e-12);
    }
  }
}

TEST(L21Rkpca, ExactlyLowRankDataKeepTheSubspaceOfKernelPca) {
  const Matrix X = random_normal(30, 3, 2), G = X * X.transpose();
  const L21RkpcaResult result = l21_of(G, 3, {.lambda = 1e-6});
  EXPECT_NEAR(explained_of(G, result.A), G.trace(), 1e-9 * G.trace());
  EXPECT_LE(result.objective.back(), 1e-3 * G.diagonal().cwiseSqrt().sum());  // the last iterate is as good, too
}

// Forty points lie at (+-1, 0) and one at (3, 12). The one point decides the direction of plain kernel PCA, but not
// that of a sum of distances: 40 |sin v| + |12 cos v - 3 sin v| for the direction (cos v, sin v) is smallest at v = 0.
TEST(L21Rkpca, OneFarPointDoesNotDecide) {
  Matrix X = Matrix::Zero(41, 2);
  for (Index i = 0; i < 40; ++i) X(i, 0) = i % 2 == 0 ? 1 : -1;
  X.row(40) << 3, 12;
  const L21RkpcaResult result = l21_of(X * X.transpose(), 1, {.lambda = 0.01});
  const Vector w = (X.transpose() * result.A).col(0);
  EXPECT_NEAR(w.norm(), 1, 1e-10);
  EXPECT_GT(std::abs(w[0]), 0.99);
  EXPECT_NEAR(result.best_objective, 12, 0.1);
}

TEST(L21Rkpca, ALargeLambdaLeavesNothing) {
  const Matrix G = centered_rbf(20, 2, 0.3);
  const L21RkpcaResult result = l21_of(G, 2, {.lambda = 1e4});
  EXPECT_TRUE(result.A.isZero(0) && result.scores.isZero(0));
  EXPECT_NEAR(result.best_objective, G.diagonal().cwiseSqrt().sum(), 1e-9);
  EXPECT_TRUE(std::isfinite(result.residual_c.back()) && std::isfinite(result.residual_e.back()));
}

TEST(L21Rkpca, DegenerateMatricesStayFinite) {
  const L21RkpcaResult zero = l21_of(Matrix::Zero(4, 4), 2, {});
  EXPECT_TRUE(zero.A.isZero(0) && zero.converged);

  Matrix X = random_normal(12, 2, 1);
  X.bottomRows(6) = X.topRows(6);  // every row occurs twice, and the rank is two
  const Matrix G = X * X.transpose();
  const L21RkpcaResult low = l21_of(G, 4, {.lambda = 1e-3});
  ASSERT_TRUE(low.A.allFinite());
  EXPECT_TRUE(low.A.rightCols(2).isZero(0));
  EXPECT_NEAR(explained_of(G, low.A), G.trace(), 1e-6 * G.trace());

  const Matrix K = centered_rbf(10, 2, 0.3);
  const L21RkpcaResult all = l21_of(K, 10, {.lambda = 1e-4});
  EXPECT_TRUE(all.A.allFinite());
}

TEST(L21Rkpca, RefusesWhatIsOutOfRange) {
  const Matrix G = Matrix::Identity(3, 3);
  EXPECT_THROW((void)l21_of(G, 0, {}), InvalidArgument);
  EXPECT_THROW((void)l21_of(G, 1, {.lambda = -1}), InvalidArgument);
  EXPECT_THROW((void)l21_of(G, 1, {.mu = 0}), InvalidArgument);
  EXPECT_THROW((void)l21_of(G, 1, {.max_iter = 0}), InvalidArgument);
  EXPECT_THROW((void)l21_of(-G, 1, {}), DataError);
}

}  // namespace
}  // namespace dualkpca::baselines::l21_rkpca_test
