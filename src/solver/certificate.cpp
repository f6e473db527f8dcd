#include "solver/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/small_eigen.hpp"

namespace dualkpca {
namespace {

// Returns Rb with Rb'Rb = residual; it has as many rows as the rank of R.
Matrix residual_root(const Matrix& residual, double largest) {
  const SmallEigen eigen = small_eigen(residual);
  // Singular values that are left out are below the rounding of the largest eigenvalue in float64.
  const double negligible = std::pow(std::numeric_limits<double>::epsilon() * largest, 2);
  Index rank = 0;
  while (rank < eigen.values.size() && eigen.values[rank] > negligible) ++rank;
  return eigen.values.head(rank).cwiseSqrt().asDiagonal() * eigen.vectors.leftCols(rank).transpose();
}

// Returns the matrix that is above G in the Loewner order, in the basis (Z_s, the other Ritz vectors, the directions of
// R). The coupling of Z_s with the rest is multiplied by c. The values of Z_s are lowered by `shift`, and those of the
// rest are raised by it.
Matrix matrix_above(const Vector& theta, const Matrix& Rb, Index s, double b, double c, double shift) {
  const Index m = theta.size(), q = Rb.rows();
  Matrix M = Matrix::Zero(m + q, m + q);
  M.diagonal().head(m) = theta.array() + shift;
  M.diagonal().head(s).array() -= 2 * shift;
  M.diagonal().tail(q).setConstant(b + shift);
  M.bottomLeftCorner(q, m) = Rb;
  M.block(m, 0, q, s) *= c;
  M.topRightCorner(m, q) = M.bottomLeftCorner(q, m).transpose();
  return M;
}

// Returns the sum of the s largest among the eigenvalues of M and any number of copies of b.
double largest_sum(const Matrix& M, Index s, double b) {
  const Vector values = small_eigenvalues(M);
  double sum = 0;
  for (Index i = 0; i < s; ++i) sum += i < values.size() ? std::max(values[i], b) : b;
  return sum;
}

}  // namespace

double BasisSpectrum::residual_norm(Index s) const {
  return std::sqrt(std::max(0.0, residual.diagonal().head(std::min(s, residual.rows())).sum()));
}

double residual_excess(const Vector& theta, double b, double rho) {
  // Water-filling: all x_i > 0 have the same d_i^2 / 4 + x_i = level.
  Vector floors = 0.25 * (theta.array() - b).square();
  std::sort(floors.begin(), floors.end());
  double level = 0, filled = 0;
  for (Index k = 0; k < floors.size(); ++k) {
    filled += floors[k];
    level = (rho * rho + filled) / static_cast<double>(k + 1);
    if (k + 1 == floors.size() || level <= floors[k + 1]) break;
  }
  double excess = 0;
  for (const double value : theta) {
    const double d = value - b, x = std::max(0.0, level - 0.25 * d * d), root = std::sqrt(0.25 * d * d + x);
    excess += d > 0 ? x / (root + 0.5 * d) : root - 0.5 * d;  // avoids a difference of nearly equal numbers
  }
  return excess;
}

double loewner_excess(const BasisSpectrum& basis, Index s, double b, const ProductErrors& errors) {
  const Index m = basis.theta.size(), kept = std::min(s, m);
  const Vector theta = basis.theta.head(kept);
  const Matrix Rb = residual_root(basis.residual, std::abs(basis.theta[0]));
  // The largest eigenvalue that may be hidden outside the first s Ritz vectors.
  const Matrix rest =
      matrix_above(basis.theta, Rb, kept, b, 0, 0).bottomRightCorner(m - kept + Rb.rows(), m - kept + Rb.rows());
  const double outside = rest.rows() > 0 ? std::max(b, small_eigenvalues(rest)[0]) : b;
  const double rho = basis.residual_norm(s), e = errors.spectral;
  // Where there are fewer than s Ritz values, the others may be as large as the eigenvalues outside.
  const double others = static_cast<double>(s - kept) * std::max(0.0, outside + e);
  const double by_residual = residual_excess(theta.array() - errors.ritz, outside + e, rho + errors.ritz) + others;
  // Error of a difference of two sums of s eigenvalues, each with LAPACK's error.
  const double eigenvalue_error = 16 * std::numeric_limits<double>::epsilon() * static_cast<double>(s) *
                                      std::max(std::abs(basis.theta[0]), std::abs(b)) +
                                  errors.arithmetic * std::abs(theta.sum());
  const auto above = [&](double c) {
    const double sum = largest_sum(matrix_above(basis.theta, Rb, kept, b, c, e), s, b + e);
    return std::max(0.0, sum - (theta.array() - e).sum()) + eigenvalue_error;
  };
  if (errors.coupling == 0) return std::min(by_residual + eigenvalue_error, above(1));
  // Lambda_s is convex in the coupling, so a convex combination of its values for the known part and for the error,
  // each enlarged, is an upper bound.
  const double tau = errors.coupling / (errors.coupling + rho);
  const double by_basis = (tau < 1 ? (1 - tau) * above(1 / (1 - tau)) : 0) +
                          tau * (residual_excess(theta.array() - e, outside + e, errors.coupling / tau) + others);
  return std::min(by_residual + eigenvalue_error, by_basis);
}

double eta_of_excess(double sum, double excess, Index s, const ProductErrors& errors) {
  if (!(sum > 0)) return excess > 0 ? 1 : 0;
  if (!std::isfinite(excess)) return 1;
  const double inflated = 1 + 2 * errors.ritz * std::sqrt(static_cast<double>(s)) / sum;
  return std::clamp(excess / (sum + excess) * inflated + errors.arithmetic, 0.0, 1.0);
}

}  // namespace dualkpca
