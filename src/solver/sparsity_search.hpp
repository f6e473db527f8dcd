#pragma once

#include <functional>

#include "solver/dc_solver.hpp"

namespace dualkpca {

/// The solution for one epsilon, from a given point, to a given tolerance.
using SolveAt = std::function<DcOutcome(double epsilon, const Matrix& start, double tol)>;

struct SparsityTarget {
  Norm norm = Norm::rows;
  double share = 0;    ///< of zero rows or entries
  double tol = 0;      ///< of the last solution
  Index columns = 0;   ///< s: columns of H that are zero from the start count as zeros
  double largest = 0;  ///< epsilon from which on nothing is left of the first point
};

struct SparsityFound {
  DcOutcome solution{};
  double epsilon = 0;
  double share = 0;
  bool is_met = false;
  double share_below = 0, share_above = 1;  ///< nearest shares seen on both sides
};

/// Searches the epsilon that makes the target share zero, to within a percent or one row: the quantile of the sizes of
/// Y predicts the next epsilon, every solution starts from the one before, and bisection takes over where the
/// prediction leads out of the bracket. The share may jump over the target; then the nearer side is returned.
/// `stop` is asked between solutions.
[[nodiscard]] SparsityFound search_sparsity(const SparsityTarget& target, const Matrix& first, const SolveAt& solve_at,
                                            const std::function<bool()>& stop);

}  // namespace dualkpca
