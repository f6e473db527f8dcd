#include <gtest/gtest.h>

#include <cmath>

#include "baselines/comparison.hpp"
#include "baselines/elastic_net.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::baselines::sparse_kpca_test {
namespace {

struct Method {
  const char* name;
  SparseKpcaResult (*run)(const GramOperator& gram, Index s, const SparseKpcaParams& params);
};

class SparseKpca : public testing::TestWithParam<Method> {
 protected:
  static SparseKpcaResult solve(const Matrix& G, Index s, const SparseKpcaParams& params) {
    return GetParam().run(*make_precomputed_gram(G, Precision::float64, 1), s, params);
  }
};
INSTANTIATE_TEST_SUITE_P(Both, SparseKpca, testing::Values(Method{"skpca", skpca}, Method{"sskpca", sskpca}),
                         [](const auto& at) { return at.param.name; });

double explained_of(const Matrix& G, const Matrix& B) {
  return explained(*make_precomputed_gram(G, Precision::float64, 1), B);
}

Matrix centered_rbf(Index n, Index d, double gamma) {
  const Matrix X = random_normal(n, d, 4);
  return test::naive_centered(test::naive_kernel_matrix({KernelName::rbf, gamma, 1, 0}, X, X));
}

double share_of_zeros(const Matrix& B) {
  return static_cast<double>((B.array() == 0).count()) / static_cast<double>(B.size());
}

// For a diagonal G the eigenvectors are unit vectors, and b_j = max(0, g_j - lambda1/2) / (g_j + lambda2) e_j.
TEST_P(SparseKpca, ADiagonalMatrixByHand) {
  const Vector diagonal{{5, 3, 1}};
  const Matrix G = diagonal.asDiagonal();
  const double lambda1 = 2.4, lambda2 = 0.5;
  const SparseKpcaResult result = solve(G, 3, {.lambda1 = lambda1, .lambda2 = lambda2, .tol = 1e-10});
  EXPECT_TRUE(result.converged);
  const auto gain = [&](double g) { return std::pow(std::max(0.0, g - lambda1 / 2), 2) / (g + lambda2); };
  double cost = 0;
  for (const std::vector<double>& objective : result.objective) cost += objective.back();
  // Each of the sequential problems has the trace of its deflated matrix: 9, then 4, then 1.
  const double trace = result.objective.size() == 1 ? 9 : 9 + 4 + 1;
  EXPECT_NEAR(cost, trace - gain(5) - gain(3) - gain(1), 1e-8);
  EXPECT_EQ(gain(1), 0);  // so its column is zero
  Matrix expected = Matrix::Zero(3, 3);
  expected(0, 0) = 1 / std::sqrt(5.0);
  expected(1, 1) = 1 / std::sqrt(3.0);
  EXPECT_LE((result.B.cwiseAbs() - expected).norm(), 1e-9);
  EXPECT_NEAR(result.sparsity, 7.0 / 9, 1e-12);
  EXPECT_NEAR(explained_of(G, result.B), 8, 1e-9);
}

TEST_P(SparseKpca, WithoutPenaltiesItIsKernelPca) {
  const Matrix G = centered_rbf(70, 3, 0.2);
  const SparseKpcaResult result = solve(G, 4, {.lambda1 = 0, .lambda2 = 1e-8});
  EXPECT_NEAR(explained_of(G, result.B), test::eigenvalues_descending(G).head(4).sum(), 1e-6);
  EXPECT_LE((result.B.transpose() * G * result.B - Matrix::Identity(4, 4)).norm(), 1e-4);
  EXPECT_LE((result.scores - G * result.B).norm(), 1e-10);
}

TEST_P(SparseKpca, TheObjectiveNeverRises) {
  const Matrix G = centered_rbf(70, 3, 0.2);
  for (const double lambda1 : {0.05, 0.3, 1.0}) {
    const SparseKpcaResult result = solve(G, 3, {.lambda1 = lambda1, .lambda2 = 0.01});
    std::size_t longest = 0;
    for (const std::vector<double>& objective : result.objective) {
      longest = std::max(longest, objective.size());
      for (std::size_t k = 1; k < objective.size(); ++k)
        EXPECT_LE(objective[k], objective[k - 1] + 1e-9 * G.trace()) << lambda1;
    }
    EXPECT_GE(longest, 3U);
    const Vector squares = result.B.cwiseProduct(G * result.B).colwise().sum();
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(squares[j], result.B.col(j).isZero(0) ? 0 : 1, 1e-10);
  }
}

TEST_P(SparseKpca, MeetsASparsity) {
  const Matrix G = centered_rbf(100, 4, 0.1);
  const double all = test::eigenvalues_descending(G).head(3).sum();
  for (const double sparsity : {0.1, 0.5, 0.8}) {
    const SparseKpcaResult result = solve(G, 3, {.sparsity = sparsity, .max_outer = 20});
    EXPECT_NEAR(result.sparsity, sparsity, 0.005);
    EXPECT_EQ(share_of_zeros(result.B), result.sparsity);
    EXPECT_GT(result.products, 0);
    const double share = explained_of(G, result.B) / all;
    EXPECT_LT(share, 1);
    EXPECT_GT(share, 0.5);
    // The returned lambda1 gives the same result again.
    const SparseKpcaResult again = solve(G, 3, {.lambda1 = result.lambda1, .max_outer = 20});
    EXPECT_LE((again.B - result.B).norm(), 1e-9 * result.B.norm());
  }
  EXPECT_EQ(solve(G, 3, {.sparsity = 0, .max_outer = 20}).lambda1, 0);
}

// The equal columns of an identity become zero together, so the share of zeros jumps. The nearest share is returned.
TEST_P(SparseKpca, TheNearestSparsityWhereTheShareJumps) {
  const SparseKpcaResult result = solve(Matrix::Identity(4, 4), 4, {.sparsity = 0.9, .max_outer = 20});
  EXPECT_EQ(result.sparsity, 0.75);
  EXPECT_TRUE(result.B.allFinite());
}

TEST_P(SparseKpca, DegenerateMatricesStayFinite) {
  const SparseKpcaResult zero = solve(Matrix::Zero(5, 5), 3, {.lambda1 = 0.1});
  EXPECT_TRUE(zero.B.isZero(0) && zero.scores.isZero(0));
  EXPECT_TRUE(solve(Matrix::Zero(5, 5), 3, {.lambda2 = 0}).B.isZero(0));

  Matrix X = random_normal(20, 2, 1);
  X.bottomRows(10) = X.topRows(10);  // every row occurs twice, and the rank is two
  const Matrix G = X * X.transpose();
  for (const double lambda2 : {0.0, 1e-3}) {
    const SparseKpcaResult low = solve(G, 4, {.lambda1 = 0.01, .lambda2 = lambda2});
    ASSERT_TRUE(low.B.allFinite() && low.scores.allFinite());
    EXPECT_NEAR(explained_of(G, low.B), G.trace(), 1e-2 * G.trace());
  }

  const Matrix K = centered_rbf(10, 2, 0.3);
  EXPECT_TRUE(solve(K, 10, {.lambda1 = 0.01}).B.allFinite());
  const SparseKpcaResult nothing = solve(K, 2, {.lambda1 = 1e4});
  EXPECT_TRUE(nothing.B.isZero(0) && nothing.converged);
  EXPECT_EQ(nothing.sparsity, 1);
  const SparseKpcaResult one = solve(Matrix::Constant(1, 1, 4), 1, {});
  EXPECT_NEAR(std::abs(one.B(0, 0)), 0.5, 1e-12);
}

TEST_P(SparseKpca, RefusesWhatIsOutOfRange) {
  const Matrix G = Matrix::Identity(3, 3);
  EXPECT_THROW((void)solve(G, 0, {}), InvalidArgument);
  EXPECT_THROW((void)solve(G, 4, {}), InvalidArgument);
  EXPECT_THROW((void)solve(G, 1, {.lambda1 = -1}), InvalidArgument);
  EXPECT_THROW((void)solve(G, 1, {.lambda2 = -1}), InvalidArgument);
  EXPECT_THROW((void)solve(G, 1, {.sparsity = 1}), InvalidArgument);
  EXPECT_THROW((void)solve(G, 1, {.tol = 0}), InvalidArgument);
  EXPECT_THROW((void)solve(G, 1, {.max_outer = 0}), InvalidArgument);
  EXPECT_THROW((void)solve(G, 1, {.max_inner = 0}), InvalidArgument);
}

TEST(ElasticNet, EndsWhereTheOptimalityConditionsHold) {
  const Matrix G = centered_rbf(50, 3, 0.2);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  const TopDirections start = top_directions(*gram, 3);
  const SparseKpcaParams params{.lambda1 = 0.3, .lambda2 = 0.05, .tol = 1e-8, .max_outer = 5000, .max_inner = 100000};
  const ElasticNetRun run = elastic_net(*gram, start.A, start.largest, params);
  ASSERT_TRUE(run.converged);
  const Matrix A = test::polar(run.GB).W;
  const Matrix gradient = 2 * (G * (run.B - A) + params.lambda2 * run.B);
  EXPECT_GT(share_of_zeros(run.B), 0.05);
  EXPECT_LT(share_of_zeros(run.B), 0.95);
  for (Index i = 0; i < 50; ++i)
    for (Index j = 0; j < 3; ++j) {
      if (run.B(i, j) == 0) {
        EXPECT_LE(std::abs(gradient(i, j)), params.lambda1 * (1 + 1e-3));
      } else {
        EXPECT_NEAR(gradient(i, j), std::copysign(params.lambda1, -run.B(i, j)), 1e-3 * params.lambda1);
      }
    }
}

// Without the check of each step, momentum would overshoot and increase the objective.
TEST(ElasticNet, EveryStepGoesDown) {
  const Matrix G = centered_rbf(30, 3, 0.2);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  const TopDirections start = top_directions(*gram, 2);
  double previous = G.trace() * 10;
  for (Index steps = 1; steps <= 150; ++steps) {
    const SparseKpcaParams params{.lambda1 = 0.3, .lambda2 = 0.05, .tol = 1e-9, .max_outer = 1, .max_inner = steps};
    const ElasticNetRun run =
        elastic_net(*gram, start.A, start.largest, params);  // `steps` gradient steps for the first A
    const double value = run.B.cwiseProduct(run.GB - 2 * G * start.A).sum() + params.lambda2 * run.B.squaredNorm() +
                         params.lambda1 * run.B.cwiseAbs().sum();
    EXPECT_LE(value, previous + 1e-12 * G.trace()) << steps;
    previous = value;
  }
}

TEST(Sskpca, IsSkpcaOfOneComponentOnWhatIsLeft) {
  const Matrix G = centered_rbf(60, 3, 0.2);
  const SparseKpcaParams params{.lambda1 = 0.3};
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  const SparseKpcaResult result = sskpca(*gram, 3, params);
  EXPECT_LE((result.B.leftCols(1) - skpca(*gram, 1, params).B).norm(), 1e-9);
  const TopDirections start = top_directions(*gram, 3);
  Matrix left = G;
  for (Index j = 0; j < 3; ++j) {
    const auto gram_left = make_precomputed_gram(left, Precision::float64, 1);
    const Matrix b = elastic_net(*gram_left, start.A.col(j), start.largest, params).B;
    const double length = std::sqrt(b.cwiseProduct(G * b).sum());
    EXPECT_LE((b / length - result.B.col(j)).norm(), 1e-6 * result.B.col(j).norm()) << j;
    const Matrix left_b = left * b;
    left -= Matrix(left_b * left_b.transpose()) / b.cwiseProduct(left_b).sum();
    left = Matrix(0.5 * (left + left.transpose()));
  }
}

TEST(Explained, IsTheVarianceInTheSpanWhateverTheBasis) {
  const Vector values = Vector::LinSpaced(20, 20, 1);
  const Matrix G = test::with_spectrum(values, 5);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  const Matrix top = top_directions(*gram, 3).A;
  EXPECT_NEAR(explained(*gram, top), 20 + 19 + 18, 1e-10);
  EXPECT_NEAR(explained(*gram, top * random_normal(3, 3, 1)), 57, 1e-8);
  EXPECT_NEAR(explained(*gram, top * random_normal(3, 5, 1)), 57, 1e-8);  // the columns are linearly dependent
  Matrix graded = top;
  graded.col(1) *= 1e-9;
  EXPECT_NEAR(explained(*gram, graded), 57, 1e-10);
  EXPECT_EQ(explained(*gram, Matrix::Zero(20, 2)), 0);
  // For a span that is not an eigenspace, the definition gives the value.
  const Matrix B = random_normal(20, 4, 2), W = B.transpose() * G * B;
  EXPECT_NEAR(explained(*gram, B), (test::inverse_of(W) * B.transpose() * G * G * B).trace(), 1e-8);
  EXPECT_THROW((void)explained(*gram, Matrix::Zero(3, 2)), InvalidArgument);
}

}  // namespace
}  // namespace dualkpca::baselines::sparse_kpca_test
