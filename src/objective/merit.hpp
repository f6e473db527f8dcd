#pragma once

#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/objective/loss.hpp"

namespace dualkpca {

/// What a product GH says about H for any loss. With Y = G H (H'GH)^{-1/2} and Z = prox(Y):
///   d(Z) <= p(H) = -F(Y) <= d(H) - 1/2 |H - Z|_F^2,
/// p(H) being the paper's primal cost at the orthonormal directions of H. Z is the next point of the DC algorithm, and
/// H = Z the paper's condition for a critical point. p is finite for every H, so that it can be compared where d is
/// infinite.
struct Merit {
  double value = 0;     ///< p(H)
  Matrix Y{};           ///< n x s
  Matrix Z{};           ///< n x s
  double distance = 0;  ///< |H - Z|_F
  double dual = 0;      ///< d(H) = 1/2 |H|^2 + Psi*(H) - Tr (H'GH)^{1/2}; infinite if H is not feasible
  /// |H - Z|_F / |Z|_F, 0 if both are zero: eta of losses other than square.
  [[nodiscard]] double residual() const;
};
[[nodiscard]] Merit evaluate_merit(const Matrix& H, const Matrix& GH, const Loss& loss, const RankRule& rule,
                                   int threads = 1);

}  // namespace dualkpca
