#pragma once

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

// The dual of kernel PCA. Kernel PCA looks for s directions in a feature space; the dual looks for an n x s matrix H of
// dual variables, one row for each training row. G is the n x n Gram matrix, and a product is one multiplication of G
// by a block of columns. docs/math.md derives everything here.

/// Rule that says which eigenvalues of G are rounding errors and count as zero. The default keeps all positive ones.
struct RankRule {
  double relative = 0;  ///< share of the largest: 1e-12 in float64, 4e-6 in float32, where a product errs by some 6e-8
  /// Absolute limit, epsilon sqrt(n) scale: the norm of the rounding errors of G, and of what centring leaves of equal
  /// rows.
  double absolute = 0;
  [[nodiscard]] bool is_zero(double value, double largest) const {
    return !(value > absolute && value > relative * largest);
  }
  /// Returns how many of the first `most` of these descending values are not zero.
  [[nodiscard]] Index rank(const Vector& values, Index most) const;
};
/// Returns the rule for the size, precision and scale of G.
[[nodiscard]] RankRule rank_rule(const GramOperator& gram);

/// Throws DataError if the Rayleigh quotient `lowest` is too negative to be rounding: the kernel is then not positive
/// semi-definite. `largest` is the largest quotient beside it.
void require_positive(double lowest, double largest, const RankRule& rule);

/// Eigenvectors of S = H'GH without those that are rounding, judged by their Rayleigh quotient u'Su / |Hu|^2. The
/// dropped ones are missing in the root and in its inverse alike, because keeping them in one of the two only would put
/// noise of size sqrt(epsilon) into d.
struct SpectralRoot {
  Matrix vectors{};                                                             ///< s x r, by descending eigenvalue
  Vector values{};                                                              ///< r eigenvalues of S, positive
  [[nodiscard]] double trace_root() const { return values.cwiseSqrt().sum(); }  ///< pi(H) = Tr S^{1/2}
  [[nodiscard]] Matrix inverse_root() const;  ///< P = S^{-1/2}, s x s, a pseudo-inverse if r < s
};
/// Returns the decomposition of S. `HH` is H'H.
[[nodiscard]] SpectralRoot spectral_root(const Matrix& S, const Matrix& HH, const RankRule& rule);

/// Value and gradient of the dual for the square loss, d(H) = 1/2 |H|_F^2 - Tr (H'GH)^{1/2}. The gradient is H - Y with
/// Y = G H (H'GH)^{-1/2} (Proposition 3.4 of the paper), so one product GH gives both.
struct DualEvaluation {
  double value = 0;     ///< d(H)
  Matrix Y{};           ///< n x s, the training scores
  SpectralRoot root{};  ///< decomposition of H'GH
};
/// Evaluates the dual at H, given the product GH.
[[nodiscard]] DualEvaluation evaluate_dual(const Matrix& H, const Matrix& GH, const RankRule& rule);

/// The dual along a line, phi(a) = d(H + aD), and its slope phi'(a), each at a cost of O(s^3). Once GH and GD are
/// known, S(a) = (H + aD)'G(H + aD) is quadratic in a with s x s coefficients. A line search therefore needs no product
/// and does not touch the n x s matrices.
class DualLine {
 public:
  DualLine(const Matrix& H, const Matrix& GH, const Matrix& D, const Matrix& GD, const RankRule& rule);
  struct Point {
    double value = 0;  ///< phi(a)
    double slope = 0;  ///< phi'(a)
  };
  [[nodiscard]] Point at(double a) const;

 private:
  Matrix HGH_, HGD_, DGD_, HH_, HD_, DD_;
  RankRule rule_;
};

/// Exact minimiser of d over all H with columns in the range of a given H (Rayleigh-Ritz): H = U sqrt(Theta), where
/// Theta and U are the Ritz values and vectors.
struct RitzPoint {
  Matrix H{};         ///< n x r, r <= s, orthogonal columns by descending Ritz value; rounding directions are left out
  Matrix GH{};        ///< n x r, the product at H
  Vector theta{};     ///< r Ritz values
  double lowest = 0;  ///< the lowest Ritz value, kept or not
};
/// Returns the minimiser over the range of H, given the product GH. Costs no product.
[[nodiscard]] RitzPoint ritz_point(const Matrix& H, const Matrix& GH, const RankRule& rule);

}  // namespace dualkpca
