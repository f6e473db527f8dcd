#pragma once

#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// True if `automatic` means LAPACK: few rows, or too many components for a Krylov basis.
[[nodiscard]] bool automatic_is_dense(Index n, Index s);
/// What to ask it with where a share of the variance is wanted, and nobody knows how many components that takes.
inline constexpr Index unknown_components = 6;

/// The rule behind SolverName::automatic; the result says which solver ran and why.
[[nodiscard]] SolveResult solve_automatic(const GramOperator& gram, Index s, const SolverParams& params,
                                          const GramFacts& facts, const Observer& observe);

}  // namespace dualkpca
