#include <gtest/gtest.h>

#include <cmath>

#include "baselines/comparison.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "support/naive.hpp"

namespace dualkpca::baselines::l1_kpca_test {
namespace {

L1KpcaResult l1_of(const Matrix& K, Index s, const L1KpcaParams& params = {}) {
  return l1_kpca(*make_precomputed_gram(K, Precision::float64, 1), s, params);
}

Matrix centered_rbf(Index n, Index d, double gamma, std::uint64_t seed) {
  const Matrix X = random_normal(n, d, seed);
  return test::naive_centered(test::naive_kernel_matrix({KernelName::rbf, gamma, 1, 0}, X, X));
}

Vector signs_of(const Vector& v) {
  return v.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
}

// Returns the largest c'Kc over all sign vectors.
double best_by_enumeration(const Matrix& K) {
  const Index n = K.rows();
  double best = 0;
  for (unsigned code = 0; code < (1U << n); ++code) {
    Vector c(n);
    for (Index i = 0; i < n; ++i) c[i] = (code >> i) % 2 == 0 ? 1 : -1;
    best = std::max(best, c.dot(K * c));
  }
  return best;
}

// The textbook form of the method, which deflates the matrix in place.
Matrix explicit_deflation(Matrix K, Index s) {
  const Index n = K.rows();
  Matrix A(n, s), basis = Matrix::Identity(n, n);
  for (Index l = 0; l < s; ++l) {
    Index start = 0;
    for (Index j = 1; j < n; ++j)
      if (K.col(j).lpNorm<1>() / std::sqrt(K(j, j)) > K.col(start).lpNorm<1>() / std::sqrt(K(start, start))) start = j;
    Vector c = signs_of(K.col(start));
    for (Vector next = signs_of(K * c); next != c; next = signs_of(K * c)) c = next;
    const Vector Kc = K * c;
    const double square = c.dot(Kc);
    A.col(l) = basis * c / std::sqrt(square);
    basis -= Matrix(basis * c * Kc.transpose()) / square;
    K -= Matrix(Kc * Kc.transpose()) / square;
  }
  return A;
}

TEST(L1Kpca, ThreePointsByHand) {
  const Matrix X{{2, 0}, {0, 1}, {1, 1}};  // the sum with equal signs, (3, 2), is the longest
  const L1KpcaResult result = l1_of(X * X.transpose(), 1);
  EXPECT_NEAR(result.objective[0].back(), 13, 1e-12);
  const double sign = result.A(0, 0) > 0 ? 1 : -1;
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(sign * result.A(i, 0), 1 / std::sqrt(13.0), 1e-12);
  EXPECT_NEAR(sign * result.scores(0, 0), 6 / std::sqrt(13.0), 1e-12);
  EXPECT_NEAR(sign * result.scores(1, 0), 2 / std::sqrt(13.0), 1e-12);
  EXPECT_NEAR(sign * result.scores(2, 0), 5 / std::sqrt(13.0), 1e-12);
  EXPECT_TRUE(result.converged);
}

TEST(L1Kpca, FindsTheBestOfAllSigns) {
  const Matrix X{{3, 0}, {-1, 2}, {0.5, -1}, {2, 1}};
  const Matrix K = X * X.transpose();
  EXPECT_NEAR(l1_of(K, 1).objective[0].back(), best_by_enumeration(K), 1e-12);
}

TEST(L1Kpca, NeverBeatsAllSignsAndIsSeldomFarBelow) {
  int met = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix K = centered_rbf(10, 3, 0.3, seed);
    const double found = l1_of(K, 1).objective[0].back(), best = best_by_enumeration(K);
    EXPECT_LE(found, best * (1 + 1e-12));
    EXPECT_GE(found, 0.7 * best) << seed;
    if (found > best * (1 - 1e-12)) ++met;
  }
  EXPECT_GE(met, 5);
}

TEST(L1Kpca, EveryComponentIsAFixedPointAndItsObjectiveRises) {
  std::size_t longest = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Matrix K = centered_rbf(60, 4, 0.2, seed);
    const L1KpcaResult result = l1_of(K, 4);
    ASSERT_TRUE(result.converged);
    Matrix deflated = K;
    for (Index l = 0; l < 4; ++l) {
      const std::vector<double>& objective = result.objective[static_cast<std::size_t>(l)];
      longest = std::max(longest, objective.size());
      EXPECT_EQ(static_cast<Index>(objective.size()), result.iterations[static_cast<std::size_t>(l)]);
      for (std::size_t k = 1; k < objective.size(); ++k) EXPECT_GT(objective[k], objective[k - 1]);
      const Vector u = result.scores.col(l), c = signs_of(u);
      EXPECT_EQ(signs_of(deflated * c), c);
      EXPECT_NEAR(c.dot(deflated * c), objective.back(), 1e-9 * objective.back());
      EXPECT_NEAR(u.lpNorm<1>(), std::sqrt(objective.back()), 1e-9);  // sum_i |<phi_i, w>|
      deflated -= Matrix(u * u.transpose());
    }
  }
  EXPECT_GE(longest, 3U);  // otherwise the loop above has compared too little
}

TEST(L1Kpca, EqualsExplicitDeflation) {
  for (const Index n : {12, 50, 300}) {
    const Matrix K = centered_rbf(n, 4, 0.2, 3);
    const L1KpcaResult result = l1_of(K, 5);
    const Matrix expected = explicit_deflation(K, 5);
    EXPECT_LE((result.A - expected).norm(), 1e-9 * expected.norm()) << n;
    EXPECT_LE((result.scores - K * expected).norm(), 1e-9 * result.scores.norm()) << n;
  }
}

TEST(L1Kpca, DirectionsAreOrthonormalUpToAllOfThem) {
  const Matrix K = test::with_spectrum(Vector::LinSpaced(30, 1, 100), 2);
  const L1KpcaResult result = l1_of(K, 30);
  EXPECT_LE((result.A.transpose() * K * result.A - Matrix::Identity(30, 30)).norm(), 1e-12);
  EXPECT_NEAR(explained(*make_precomputed_gram(K, Precision::float64, 1), result.A), K.trace(), 1e-9);
}

// Forty points lie at (+-1, 0) and one at (0, 12), which is the first component of plain kernel PCA since 144 > 40. The
// sum of absolute values 40 |w_1| + 12 |w_2| is largest at w = (40, 12) / |(40, 12)|.
TEST(L1Kpca, OneFarPointDoesNotDecide) {
  Matrix X = Matrix::Zero(41, 2);
  for (Index i = 0; i < 40; ++i) X(i, 0) = i % 2 == 0 ? 1 : -1;
  X(40, 1) = 12;
  const L1KpcaResult result = l1_of(X * X.transpose(), 1);
  EXPECT_NEAR(result.objective[0].back(), 1744, 1e-9);
  EXPECT_NEAR(std::abs(result.scores(0, 0)), 40 / std::sqrt(1744.0), 1e-12);
}

TEST(L1Kpca, DegenerateMatricesGiveZeroColumns) {
  const L1KpcaResult zero = l1_of(Matrix::Zero(5, 5), 3);
  EXPECT_TRUE(zero.A.isZero(0) && zero.scores.isZero(0) && zero.converged);
  EXPECT_EQ(zero.iterations, (std::vector<Index>{0, 0, 0}));

  Matrix X = random_normal(20, 2, 1);
  X.bottomRows(10) = X.topRows(10);  // every row occurs twice, and the rank is two
  const Matrix K = X * X.transpose();
  const L1KpcaResult low = l1_of(K, 5);
  ASSERT_TRUE(low.A.allFinite());
  EXPECT_LE((low.A.leftCols(2).transpose() * K * low.A.leftCols(2) - Matrix::Identity(2, 2)).norm(), 1e-10);
  EXPECT_TRUE(low.A.rightCols(3).isZero(0));

  const Matrix smooth = centered_rbf(60, 2, 0.01, 1);  // eigenvalues fall to rounding, and all components are asked for
  const L1KpcaResult all = l1_of(smooth, 60);
  ASSERT_TRUE(all.A.allFinite());
  const Matrix S = all.A.transpose() * smooth * all.A;
  Index rank = 0;
  while (rank < 60 && !all.A.col(rank).isZero(0)) ++rank;
  EXPECT_GE(rank, 15);
  EXPECT_LT(rank, 60);
  EXPECT_LE((S.topLeftCorner(rank, rank) - Matrix::Identity(rank, rank)).cwiseAbs().maxCoeff(), 1e-2);

  const L1KpcaResult one = l1_of(Matrix::Constant(1, 1, 4), 1);
  EXPECT_NEAR(one.A(0, 0), 0.5, 1e-15);
}

TEST(L1Kpca, ARowOfZerosKeepsItsSign) {
  Matrix K = Matrix::Zero(3, 3);
  K.topLeftCorner(2, 2) << 2, -1, -1, 2;
  const L1KpcaResult result = l1_of(K, 1);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.objective[0].back(), 6, 1e-12);
  EXPECT_NEAR(result.A(2, 0), 1 / std::sqrt(6.0), 1e-12);
}

TEST(L1Kpca, StopsWhenToldTo) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Matrix K = centered_rbf(60, 4, 0.2, seed);
    const L1KpcaResult result = l1_of(K, 3, {.max_iter = 1});
    EXPECT_EQ(result.iterations, (std::vector<Index>{1, 1, 1}));
    EXPECT_TRUE(result.A.allFinite());
  }
}

TEST(L1Kpca, RefusesWhatIsOutOfRange) {
  EXPECT_THROW((void)l1_of(Matrix::Identity(3, 3), 0), InvalidArgument);
  EXPECT_THROW((void)l1_of(Matrix::Identity(3, 3), 4), InvalidArgument);
  EXPECT_THROW((void)l1_of(Matrix::Identity(3, 3), 1, {.max_iter = 0}), InvalidArgument);
  EXPECT_THROW((void)l1_of(-Matrix::Identity(3, 3), 1), DataError);
}

}  // namespace
}  // namespace dualkpca::baselines::l1_kpca_test
