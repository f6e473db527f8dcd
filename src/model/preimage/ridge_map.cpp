#include "model/preimage/ridge_map.hpp"

#include "core/positive_solve.hpp"
#include "core/tall_matrix.hpp"
#include "model/rows/kernel_matrix.hpp"

namespace dualkpca {
namespace {

constexpr Index ridge_block = 512;

Vector weighted_mean(const Matrix& X, const Vector& weights) {
  const double sum = weights.sum();
  return sum > 0 ? Vector(X.transpose() * weights / sum) : Vector(X.colwise().mean());
}

}  // namespace

Matrix RidgeMap::apply(ConstMatrixRef T, int threads) const {
  const Matrix turned = turn.size() > 0 ? times(T, turn) : Matrix(T);
  Matrix X(T.rows(), coefficients.cols());
  for (Index first = 0; first < T.rows(); first += ridge_block) {  // in blocks, so memory does not grow with T
    const Index count = std::min(ridge_block, T.rows() - first);
    X.middleRows(first, count) =
        times(kernel_matrix(kernel, turned.middleRows(first, count), centers, threads), coefficients);
  }
  X.rowwise() += mean.transpose();
  return X;
}

RidgeMap solve_ridge(const RidgeProblem& problem, const ResolvedKernel& kernel, double alpha, bool centered,
                     int threads) {
  const Index n = problem.T.rows(), m = static_cast<Index>(problem.centers.size());
  RidgeMap map{.kernel = kernel, .centers = problem.T(problem.centers, Eigen::all)};
  map.mean = centered ? weighted_mean(problem.X, problem.weights) : Vector::Zero(problem.X.cols());
  Matrix residual = problem.X.rowwise() - map.mean.transpose();
  if (m == n) {  // (K + alpha W^{-1}) B = X
    constexpr double smallest_weight = 1e-12;
    Matrix K = kernel_matrix(kernel, map.centers, map.centers, threads);
    K.diagonal().array() += alpha / problem.weights.array().max(smallest_weight);
    map.coefficients = positive_solve(std::move(K), residual);
    return map;
  }
  // (K_mn W K_nm + alpha K_mm) B = K_mn W X, with a jitter that keeps K_mm positive definite despite rounding.
  Matrix A = kernel_matrix(kernel, map.centers, map.centers, threads);
  const double jitter = epsilon_of(Precision::float64) * static_cast<double>(m) * A.diagonal().cwiseAbs().maxCoeff();
  A.diagonal().array() += jitter;
  A *= alpha;
  Matrix B = Matrix::Zero(m, residual.cols());
  const Vector roots = problem.weights.cwiseSqrt();
  for (Index first = 0; first < n; first += 4 * ridge_block) {
    const Index count = std::min(4 * ridge_block, n - first);
    const auto part = roots.segment(first, count);
    const Matrix K =
        part.asDiagonal() * kernel_matrix(kernel, problem.T.middleRows(first, count), map.centers, threads);
    A += inner(K, K);
    B += inner(K, part.asDiagonal() * residual.middleRows(first, count));
  }
  A.diagonal().array() += epsilon_of(Precision::float64) * A.trace();
  map.coefficients = positive_solve(std::move(A), B);
  return map;
}

}  // namespace dualkpca
