#include "solver/eigenvalue_probes.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca {
namespace {

void project_out(Matrix& W, ConstMatrixRef P, int threads) {
  if (P.cols() > 0) add_times(W, P, inner(P, W, threads), -1.0, 1.0, threads);
}

}  // namespace

double probe_threshold(double failure, Index count) {
  const double each = std::pow(failure, 1.0 / static_cast<double>(count));
  double low = 0, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double z = 0.5 * (low + high);
    (std::erf(z / std::numbers::sqrt2) < each ? low : high) = z;
  }
  return low;
}

EigenvalueProbes::EigenvalueProbes(ConstMatrixRef P, Index count, bool centered, double failure, std::uint64_t seed,
                                   int threads)
    : z_(probe_threshold(failure, count)), threads_(threads), probes_(static_cast<std::size_t>(count)) {
  vectors_ = random_normal(P.rows(), count, seed);
  if (centered) vectors_.rowwise() -= vectors_.colwise().mean().eval();
  project_out(vectors_, P, threads_);
  project_out(vectors_, P, threads_);
  std::vector<Index> kept;
  for (Index i = 0; i < count; ++i) {
    const double norm = vectors_.col(i).norm();
    probes_[static_cast<std::size_t>(i)].norm = norm;
    active_.push_back(i);
    // P spans the whole space, so there is no eigenvalue outside it.
    if (norm <= 1e-8 * std::sqrt(static_cast<double>(P.rows()))) {
      probes_[static_cast<std::size_t>(i)].norm = 0;
      continue;
    }
    vectors_.col(i) /= norm;
    kept.push_back(i);
  }
  keep_active(kept);
}

void EigenvalueProbes::keep_active(const std::vector<Index>& columns) {
  if (static_cast<Index>(columns.size()) == vectors_.cols()) return;
  std::vector<Index> active;
  active.reserve(columns.size());
  for (const Index c : columns) active.push_back(active_[static_cast<std::size_t>(c)]);
  active_ = std::move(active);
  vectors_ = Matrix(vectors_(Eigen::all, columns));
  for (Matrix& earlier : history_) earlier = Matrix(earlier(Eigen::all, columns));
}

void EigenvalueProbes::advance(ConstMatrixRef GV, ConstMatrixRef P) {
  Matrix W = GV;
  project_out(W, P, threads_);
  const Eigen::RowVectorXd alpha = vectors_.cwiseProduct(W).colwise().sum();
  history_.push_back(vectors_);
  Vector beta = Vector::Ones(W.cols());
  // Orthogonalises against all earlier vectors of the same probe, since the recurrence alone loses orthogonality. The
  // second pass follows after normalising, which magnifies the rounding that the first pass leaves in a short
  // remainder.
  for (int pass = 0; pass < 2; ++pass) {
    if (pass > 0) project_out(W, P, threads_);
    for (const Matrix& earlier : history_)
      W -= earlier * Eigen::RowVectorXd(earlier.cwiseProduct(W).colwise().sum()).asDiagonal();
    for (Index c = 0; c < W.cols(); ++c) {
      const double norm = W.col(c).norm();
      beta[c] *= norm;
      if (norm > 0) W.col(c) /= norm;
    }
  }
  std::vector<Index> kept;
  for (Index c = 0; c < W.cols(); ++c) {
    Probe& probe = probes_[static_cast<std::size_t>(active_[static_cast<std::size_t>(c)])];
    probe.alpha.push_back(alpha[c]);
    const double size = std::abs(alpha[c]) + (probe.beta.empty() ? 0.0 : probe.beta.back());
    if (beta[c] <= 1e-14 * size) continue;  // an invariant subspace: its Ritz values are eigenvalues
    probe.beta.push_back(beta[c]);
    kept.push_back(c);
  }
  vectors_ = std::move(W);
  keep_active(kept);
}

Vector EigenvalueProbes::Probe::ritz_values() const {
  const auto k = static_cast<Index>(alpha.size());
  if (k == 0) return {};
  Vector diagonal(k), off(std::max<Index>(0, k - 1));
  for (Index j = 0; j < k; ++j) diagonal[j] = alpha[static_cast<std::size_t>(j)];
  for (Index j = 0; j + 1 < k; ++j) off[j] = beta[static_cast<std::size_t>(j)];
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
  eigen.computeFromTridiagonal(diagonal, off, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues();
}

double EigenvalueProbes::Probe::bound(double z) const {
  const Vector ritz = ritz_values();
  if (ritz.size() == 0) return norm > 0 ? std::numeric_limits<double>::infinity() : 0;
  const double largest = ritz[ritz.size() - 1];
  if (beta.size() < alpha.size()) return largest;
  // The projection of the top eigenvector onto the Krylov space of the probe has the squared length (g / norm)^2 sum
  // p_j(lambda)^2 <= 1, where p_j are the polynomials of the Lanczos vectors. The sum increases beyond the largest Ritz
  // value.
  const double limit = std::pow(norm / z, 2);
  const auto exceeds = [&](double x) {
    double previous = 0, current = 1, sum = 1;
    for (std::size_t j = 0; j < beta.size(); ++j) {
      const double next = ((x - alpha[j]) * current - (j > 0 ? beta[j - 1] * previous : 0.0)) / beta[j];
      previous = current;
      current = next;
      sum += current * current;
    }
    return !(sum <= limit);
  };
  double low = largest, width = std::max(beta.back(), 1e-15 * std::abs(largest));
  while (!exceeds(low + width)) low += width, width *= 2;
  for (double high = low + width; high - low > 1e-12 * std::abs(high);) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (exceeds(middle) ? high : low) = middle;
    width = high - low;
  }
  return low + width;
}

double EigenvalueProbes::bound() const {
  double b = 0;
  for (const Probe& probe : probes_) b = std::max(b, probe.bound(z_));
  return b;
}

double EigenvalueProbes::lowest() const {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Probe& probe : probes_)
    if (const Vector ritz = probe.ritz_values(); ritz.size() > 0) lowest = std::min(lowest, ritz[0]);
  return lowest;
}

double EigenvalueProbes::largest() const {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Probe& probe : probes_)
    if (const Vector ritz = probe.ritz_values(); ritz.size() > 0) largest = std::max(largest, ritz[ritz.size() - 1]);
  return largest;
}

}  // namespace dualkpca
