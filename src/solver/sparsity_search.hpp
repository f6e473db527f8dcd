#pragma once

#include <functional>

#include "solver/dc_solver.hpp"

namespace dualkpca {

/// The solution for one epsilon to a given tolerance, from `last`, a solution for another epsilon (empty the first
/// time), and unless only_last from fresh starts too.
using SolveAt = std::function<DcOutcome(double epsilon, const Matrix& last, bool only_last, double tol)>;

struct SparsityTarget {
  Norm norm = Norm::rows;
  double share = 0;    ///< of zero rows or entries
  double tol = 0;      ///< of the last solution
  double largest = 0;  ///< epsilon from which on everything is zero
};

struct SparsityFound {
  DcOutcome solution{};
  double epsilon = 0;
  double share = 0;
  bool is_met = false;
  double share_below = 0, share_above = 1;  ///< nearest shares seen on both sides
};

/// Searches the epsilon that makes the target share zero, to within a percent or one row: the quantile of the sizes of
/// Y predicts the next epsilon, and bisection takes over where the prediction leads out of the bracket. Solutions on
/// the way are rough. The best solution may jump over the target from one local minimum to another; then the one below
/// it is followed upwards, each solution from the one before. Where that jumps too, the nearest that was seen is
/// returned. `first`: the square-loss solution.
[[nodiscard]] SparsityFound search_sparsity(const SparsityTarget& target, const Matrix& first, const SolveAt& solve_at);

}  // namespace dualkpca
