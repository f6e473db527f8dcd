#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// A basis Q (n x m, orthonormal) whose product GQ is known, seen from its Ritz vectors QZ: T = Q'GQ = Z diag(theta)
/// Z'.
struct BasisSpectrum {
  Vector theta{};     ///< m Ritz values, descending
  Matrix residual{};  ///< m x m, Z'R'R Z for R = GQ - QT

  /// Returns |GU - U Theta|_F for the first s Ritz vectors U.
  [[nodiscard]] double residual_norm(Index s) const;
  /// Returns the sum of the first s Ritz values: the most that s components in the range of Q can explain.
  [[nodiscard]] double sum(Index s) const { return theta.head(std::min(s, theta.size())).sum(); }
};

/// Bounds on the rounding errors D = fl(GQ) - GQ of the products behind a basis.
struct ProductErrors {
  double ritz = 0;      ///< |D Z_s|_F, over the first s Ritz vectors
  double coupling = 0;  ///< |D Z_s|_F + 1/2 |D'U|_F
  double spectral = 0;  ///< 2 |D|_2
  /// Rounding of sums in float64 behind the Ritz values and the objective, as a share of the sum of the first s of
  /// them.
  double arithmetic = 0;
};

// The next two functions bound how much the s largest eigenvalues of G exceed those of T: Lambda_s(G) <= sum of theta +
// excess. The proofs are in docs/math.md.

/// Bounds the excess by the residual alone: U spans s Ritz vectors with values theta, |GU - U Theta|_F <= rho, and no
/// eigenvalue of G outside their span exceeds b. Returns the largest sum over i of sqrt(((theta_i - b) / 2)^2 + x_i) -
/// (theta_i - b) / 2 with x >= 0 and sum x <= rho^2.
[[nodiscard]] double residual_excess(const Vector& theta, double b, double rho);

/// Bounds the excess by the whole basis: G <= [[T, R'], [R, b I]] in the Loewner order, for any b that is at least the
/// largest eigenvalue of (I - QQ') G (I - QQ'). Returns the smaller of this bound and residual_excess().
[[nodiscard]] double loewner_excess(const BasisSpectrum& basis, Index s, double b, const ProductErrors& errors = {});

/// Returns 1 - sum theta / (sum theta + excess), enlarged by the rounding error of the sum.
[[nodiscard]] double eta_of_excess(double sum, double excess, Index s, const ProductErrors& errors = {});

}  // namespace dualkpca
