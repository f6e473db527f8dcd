#pragma once

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

/// Which eigenvalues of G are rounding and count as zero. The default keeps everything positive.
struct RankRule {
  double relative = 0;  ///< share of the largest: 1e-12 in float64, 4e-6 in float32, where a product errs by some 6e-8
  /// epsilon sqrt(n) scale: the norm of G's rounding errors, and what centring leaves of equal rows
  double absolute = 0;
  [[nodiscard]] bool is_zero(double value, double largest) const {
    return !(value > absolute && value > relative * largest);
  }
};
[[nodiscard]] RankRule rank_rule(const GramOperator& gram);

/// Throws DataError if the Rayleigh quotient `lowest` is too negative to be rounding, beside quotients up to `largest`:
/// the kernel is not positive semi-definite.
void require_positive(double lowest, double largest, const RankRule& rule);

/// Eigenvectors of S = H'GH without those that are rounding, judged by their Rayleigh quotient u'Su / |Hu|^2. They are
/// dropped from the root and its inverse alike; keeping them in one only would put sqrt(epsilon) noise into d.
struct SpectralRoot {
  Matrix vectors{};                                                             ///< s x r, by descending eigenvalue
  Vector values{};                                                              ///< r eigenvalues of S, positive
  [[nodiscard]] double trace_root() const { return values.cwiseSqrt().sum(); }  ///< pi(H) = Tr S^{1/2}
  [[nodiscard]] Matrix inverse_root() const;  ///< P = S^{-1/2}, s x s, a pseudo-inverse if r < s
};
[[nodiscard]] SpectralRoot spectral_root(const Matrix& S, const Matrix& HH, const RankRule& rule);

/// The dual for the square loss, d(H) = 1/2 |H|_F^2 - Tr (H'GH)^{1/2}. Its gradient is H - Y with
/// Y = G H (H'GH)^{-1/2} (Proposition 3.4): value and gradient share the one product GH.
struct DualEvaluation {
  double value = 0;     ///< d(H)
  Matrix Y{};           ///< n x s
  SpectralRoot root{};  ///< of H'GH
};
[[nodiscard]] DualEvaluation evaluate_dual(const Matrix& H, const Matrix& GH, const RankRule& rule);

/// phi(a) = d(H + aD) and phi'(a) at O(s^3): S(a) = (H + aD)'G(H + aD) is quadratic in a with s x s coefficients once
/// GH and GD are known, so a line search needs no product and does not touch the n x s matrices.
class DualLine {
 public:
  DualLine(const Matrix& H, const Matrix& GH, const Matrix& D, const Matrix& GD, const RankRule& rule);
  struct Point {
    double value = 0;
    double slope = 0;
  };
  [[nodiscard]] Point at(double a) const;

 private:
  Matrix HGH_, HGD_, DGD_, HH_, HD_, DD_;
  RankRule rule_;
};

/// The exact minimiser of d over all H with columns in the range of the given H (Rayleigh-Ritz): H = U sqrt(Theta),
/// where Theta and U are the Ritz values and vectors. Costs no product.
struct RitzPoint {
  Matrix H{};  ///< n x r, r <= s, orthogonal columns by descending Ritz value; rounding directions are left out
  Matrix GH{};
  Vector theta{};     ///< r
  double lowest = 0;  ///< the lowest Ritz value, kept or not
};
[[nodiscard]] RitzPoint ritz_point(const Matrix& H, const Matrix& GH, const RankRule& rule);

}  // namespace dualkpca
