#pragma once

#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/objective/loss.hpp"

namespace dualkpca {

/// Objectives and residual of H for any loss, from one product GH. With Y = G H (H'GH)^{-1/2} and Z = prox(Y):
///   d(Z) <= p(H) = -F(Y) <= d(H) - 1/2 |H - Z|_F^2.
/// p(H) is the paper's primal cost at the orthonormal directions of H. It is finite for every H, so points can be
/// compared by it even if d is infinite. Z is the next point of the DC algorithm, and H = Z is the paper's condition
/// for a critical point.
struct Merit {
  double value = 0;     ///< p(H)
  Matrix Y{};           ///< n x s
  Matrix Z{};           ///< n x s
  double distance = 0;  ///< |H - Z|_F
  double dual = 0;      ///< d(H) = 1/2 |H|^2 + Psi*(H) - Tr (H'GH)^{1/2}; infinite if H is not feasible
  /// Returns eta of losses other than square: |H - Z|_F / |Z|_F, or 0 if both are zero.
  [[nodiscard]] double residual() const;
};
[[nodiscard]] Merit evaluate_merit(const Matrix& H, const Matrix& GH, const Loss& loss, const RankRule& rule,
                                   int threads = 1);

}  // namespace dualkpca
