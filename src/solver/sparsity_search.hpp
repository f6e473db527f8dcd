#pragma once

#include <functional>

#include "solver/dc_solver.hpp"

namespace dualkpca {

/// Function that solves for one epsilon to a given tolerance. It starts from `last`, the solution for another epsilon
/// (empty the first time), and unless only_last also from fresh starts.
using SolveAt = std::function<DcOutcome(double epsilon, const Matrix& last, bool only_last, double tol)>;

struct SparsityTarget {
  Norm norm = Norm::rows;
  double share = 0;    ///< share of zero rows or entries
  double tol = 0;      ///< tolerance of the last solution
  double largest = 0;  ///< epsilon from which on everything is zero
};

struct SparsityFound {
  DcOutcome solution{};
  double epsilon = 0;
  double share = 0;
  bool is_met = false;
  double share_below = 0, share_above = 1;  ///< nearest shares seen on both sides
};

/// Searches for the epsilon that makes the target share zero, to within 0.01, or one row or entry. The quantile of the
/// sizes of Y predicts the next epsilon, and bisection takes over if the prediction leaves the bracket. Intermediate
/// solutions are rough. The best solution may jump over the target from one local minimum to another; then the minimum
/// below the target is followed upwards, each solution from the one before. If that jumps too, the nearest solution
/// found is returned. The solution is empty if every epsilon that was tried makes everything zero. `first`: the
/// square-loss solution.
[[nodiscard]] SparsityFound search_sparsity(const SparsityTarget& target, const Matrix& first, const SolveAt& solve_at);

}  // namespace dualkpca
