#pragma once

#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Returns true if `automatic` uses LAPACK: few rows, or too many components for a Krylov basis.
[[nodiscard]] bool automatic_is_dense(Index n, Index s);
/// Number of components to pass if a share of the variance is asked for and the number is not known yet.
inline constexpr Index unknown_components = 6;

/// Solves by the rule behind SolverName::automatic; the result says which solver ran and why.
[[nodiscard]] SolveResult solve_automatic(const GramOperator& gram, Index s, const SolverParams& params,
                                          const GramFacts& facts, const Observer& observe);

}  // namespace dualkpca
