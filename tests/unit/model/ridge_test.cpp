#include <gtest/gtest.h>

#include <numeric>

#include "dualkpca/core/random.hpp"
#include "model/preimage/ridge_choice.hpp"
#include "model/preimage/ridge_map.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::ridge_test {
namespace {

constexpr double width = 0.4;
const test::KernelCase kernel_case{KernelName::rbf, width, 1, 0};
const ResolvedKernel formula{KernelName::rbf, width, 1, 0};

std::vector<Index> all_of(Index n) {
  std::vector<Index> indices(static_cast<std::size_t>(n));
  std::iota(indices.begin(), indices.end(), Index{0});
  return indices;
}

Vector some_weights(Index n) { return (0.5 + 0.5 * random_normal(n, 1, 9).col(0).array().tanh()).matrix(); }

// Returns sum_i w_i |x_i - mean - k_i' B|^2 + alpha tr B'KB. At its minimum, every change of B makes it larger.
double objective(const Matrix& T, const Matrix& X, const Vector& w, double alpha, const RidgeMap& map) {
  const Matrix K = test::naive_kernel_matrix(kernel_case, T, map.centers),
               Kmm = test::naive_kernel_matrix(kernel_case, map.centers, map.centers);
  Matrix R = X - K * map.coefficients;
  R.rowwise() -= map.mean.transpose();
  return w.dot(Vector(R.rowwise().squaredNorm())) +
         alpha * (map.coefficients.transpose() * Kmm * map.coefficients).trace();
}

class Ridge : public testing::TestWithParam<Index> {};

TEST_P(Ridge, IsTheMinimum) {
  const Index n = 40, m = GetParam();
  const Matrix T = random_normal(n, 3, 1), X = random_normal(n, 2, 2);
  const Vector w = some_weights(n);
  const std::vector<Index> centers = random_subset(n, m, 3);
  const double alpha = 0.2;
  const RidgeMap map = solve_ridge({T, X, w, centers}, formula, alpha, true, 2);
  EXPECT_EQ(map.centers.rows(), m);
  const double at = objective(T, X, w, alpha, map);
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    RidgeMap other = map;
    other.coefficients += 1e-3 * random_normal(m, 2, 50 + trial);
    EXPECT_GT(objective(T, X, w, alpha, other), at);
  }
  // Eigen's solver gives the same minimum.
  const Matrix K = test::naive_kernel_matrix(kernel_case, T, map.centers),
               Kmm = test::naive_kernel_matrix(kernel_case, map.centers, map.centers);
  const Matrix centered = X.rowwise() - map.mean.transpose();
  const Matrix expected =
      test::solve_linear(K.transpose() * w.asDiagonal() * K + alpha * Kmm, K.transpose() * w.asDiagonal() * centered);
  EXPECT_LE((K * (map.coefficients - expected)).cwiseAbs().maxCoeff(), 1e-8);
  Matrix predicted = K * map.coefficients;
  predicted.rowwise() += map.mean.transpose();
  EXPECT_LE((map.apply(T, 2) - predicted).cwiseAbs().maxCoeff(), 1e-12);
}
INSTANTIATE_TEST_SUITE_P(AllAndSomeCentres, Ridge, testing::Values(40, 15));

// Compares the closed form with fits that leave out one row each.
TEST(RidgeChoice, ErrorIsThatOfRowsLeftOut) {
  const Index n = 25;
  const Matrix T = random_normal(n, 2, 4);
  Matrix X = random_normal(n, 3, 5);
  for (const bool weighted : {false, true}) {
    const Vector w = weighted ? some_weights(n) : Vector::Ones(n);
    X.rowwise() -= Eigen::RowVectorXd(w.transpose() * X / w.sum());  // centres X, because the fits below keep the mean
    const RidgeChoice choice = choose_ridge(T, X, w, false, {.gamma = width, .alpha = 0.05}, 1);
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      std::vector<Index> others = all_of(n);
      others.erase(others.begin() + i);
      const Matrix To = T(others, Eigen::all), Xo = X(others, Eigen::all);
      const Vector wo = w(others);
      const RidgeMap map = solve_ridge({To, Xo, wo, all_of(n - 1)}, formula, 0.05, false, 1);
      sum += w[i] * (X.row(i) - map.apply(T.row(i), 1)).squaredNorm();
    }
    EXPECT_NEAR(choice.error, std::sqrt(sum / w.sum() / 3), 1e-9);
  }
}

TEST(RidgeChoice, SmoothsMoreWhereThereIsMoreNoise) {
  const Matrix T = random_normal(200, 1, 6);
  const Matrix signal = (2 * T.array()).sin();
  const auto alpha_at = [&](double noise) {
    const Matrix X = signal + noise * random_normal(200, 1, 7);
    return choose_ridge(T, X, Vector::Ones(200), false, {}, 2).alpha;
  };
  EXPECT_LT(alpha_at(0.001), alpha_at(1));
}

}  // namespace
}  // namespace dualkpca::ridge_test
