#include "model/preimage/ridge_choice.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/median.hpp"
#include "core/parallel.hpp"
#include "core/small_eigen.hpp"
#include "core/squared_distances.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"
#include "model/rows/kernel_matrix.hpp"

namespace dualkpca {
namespace {

constexpr Index rows_of_choice = 1000;  // decompositions of this size take a second, and more rows change little
constexpr double widths[] = {1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0 / 2, 1, 2, 4};  // gamma times the median squared distance
constexpr int smallest_power = -14, largest_power = 2;                        // alpha = 10^(power/2)

// Median squared distance of the rows of T, or their mean if most are equal.
double typical_square(const Matrix& T) {
  const Matrix D = squared_distances(T, T);
  Vector pairs(std::max<Index>(1, T.rows() * (T.rows() - 1) / 2));
  Index count = 0;
  pairs[0] = 0;
  for (Index i = 0; i < T.rows(); ++i)
    for (Index j = 0; j < i; ++j) pairs[count++] = D(i, j);
  const double mean = pairs.mean(), middle = median(std::move(pairs));
  return middle > 0 ? middle : mean > 0 ? mean : 1.0;
}

// Leave-one-out errors of the rows for one width and one regularisation strength.
struct RidgeCandidate {
  double gamma = 0, alpha = 0;
  Vector errors{};  // n, norms
};

// Leave-one-out errors of a weighted ridge regression for one width and every alpha. In coordinates scaled by sqrt(w) a
// row contributes the share h_ii to its own prediction, and leaving it out divides its residual by 1 - h_ii.
std::vector<RidgeCandidate> leave_one_out(const Matrix& T, const Matrix& X, const Vector& weights, double gamma,
                                          const std::vector<double>& alphas) {
  const Vector roots = weights.cwiseSqrt();
  const Matrix K = kernel_matrix(rbf_kernel(gamma), T, T, 1);
  const SmallEigen eigen = small_eigen(roots.asDiagonal() * K * roots.asDiagonal());
  const Vector values = eigen.values.cwiseMax(0);
  const Matrix squares = eigen.vectors.cwiseAbs2(), projected = inner(eigen.vectors, roots.asDiagonal() * X);
  std::vector<RidgeCandidate> out;
  out.reserve(alphas.size());
  for (const double alpha : alphas) {
    const Vector left = alpha / (values.array() + alpha);
    const Matrix residuals = times(eigen.vectors, left.asDiagonal() * projected);
    const Vector own = (squares * left).cwiseMax(1e-12);
    out.push_back({gamma, alpha, residuals.rowwise().norm().cwiseQuotient(own.cwiseProduct(roots))});
  }
  return out;
}

// The candidate with the smallest weighted mean of squared errors. If outliers are expected, errors are capped at twice
// the smallest median of all candidates.
const RidgeCandidate& best_of(const std::vector<RidgeCandidate>& candidates, const Vector& weights, bool robust,
                              double& error) {
  double cut = std::numeric_limits<double>::infinity();
  if (robust) {
    for (const RidgeCandidate& candidate : candidates) cut = std::min(cut, median(candidate.errors));
    cut *= 2;
  }
  const RidgeCandidate* best = nullptr;
  error = std::numeric_limits<double>::infinity();
  for (const RidgeCandidate& candidate : candidates) {
    const double mean = weights.dot(Vector(candidate.errors.cwiseMin(cut).cwiseAbs2())) / weights.sum();
    if (best != nullptr && !(mean < error)) continue;
    best = &candidate;
    error = mean;
  }
  return *best;
}

}  // namespace

RidgeChoice choose_ridge(const Matrix& T, const Matrix& X, const Vector& weights, bool robust,
                         const RidgeConstraints& constraints, int threads,
                         const std::function<void()>& check_interrupt) {
  const std::vector<Index> sample = random_subset(T.rows(), rows_of_choice, constraints.seed);
  const Matrix some = T(sample, Eigen::all);
  const Vector w = weights(sample).cwiseMax(1e-8);
  const Vector mean = X(sample, Eigen::all).transpose() * w / w.sum();
  const Matrix targets = X(sample, Eigen::all).rowwise() - mean.transpose();
  std::vector<double> gammas, alphas;
  const double unit = typical_square(some);
  for (const double width : widths) gammas.push_back(width / unit);
  for (int power = smallest_power; power <= largest_power; ++power) alphas.push_back(std::pow(10.0, 0.5 * power));
  if (constraints.gamma) gammas = {*constraints.gamma};
  if (constraints.alpha) alphas = {*constraints.alpha};
  std::vector<std::vector<RidgeCandidate>> found(gammas.size());
  for (std::size_t first = 0; first < gammas.size(); first += static_cast<std::size_t>(threads)) {
    if (check_interrupt) check_interrupt();
    const std::size_t count = std::min(gammas.size() - first, static_cast<std::size_t>(threads));
    parallel_for(static_cast<Index>(count), threads, [&](Index g, int) {
      const std::size_t at = first + static_cast<std::size_t>(g);
      found[at] = leave_one_out(some, targets, w, gammas[at], alphas);
    });
  }
  std::vector<RidgeCandidate> candidates;
  for (auto& part : found) std::move(part.begin(), part.end(), std::back_inserter(candidates));
  double error = 0;
  const RidgeCandidate& best = best_of(candidates, w, robust, error);
  return {best.gamma, best.alpha, std::sqrt(error / static_cast<double>(X.cols()))};
}

}  // namespace dualkpca
