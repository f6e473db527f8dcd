#pragma once

#include <vector>

#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// Kernel ridge regression that has been solved: x(t) = mean + sum_c k(t M, centers_c) coefficients_c.
struct RidgeMap {
  ResolvedKernel kernel{};
  Matrix centers{};       ///< m x s
  Matrix coefficients{};  ///< m x d
  Vector mean{};          ///< d
  Matrix turn{};          ///< M, s x s; empty for the identity

  /// Rows (p x d) for the scores T (p x s).
  [[nodiscard]] Matrix apply(ConstMatrixRef T, int threads) const;
};

/// A ridge regression from T (n x s) to X (n x d), on `centers` of the rows.
struct RidgeProblem {
  const Matrix& T;
  const Matrix& X;
  const Vector& weights;              ///< n row weights, not negative
  const std::vector<Index>& centers;  ///< indices of m rows
};

/// Minimises sum_i w_i |x_i - x(t_i)|^2 + alpha |x|^2 in the norm of the kernel, after subtracting the weighted mean if
/// `centered`. Costs n m^2 multiply-adds; m^3 / 3 if all rows are centres, which must then be in their order.
[[nodiscard]] RidgeMap solve_ridge(const RidgeProblem& problem, const ResolvedKernel& kernel, double alpha,
                                   bool centered, int threads);

}  // namespace dualkpca
