#pragma once

#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// True if `automatic` means LAPACK: few rows, or too many components for a Krylov basis.
[[nodiscard]] bool automatic_is_dense(Index n, Index s);

/// The rule behind SolverName::automatic; the result says which solver ran and why.
[[nodiscard]] SolveResult solve_automatic(const GramOperator& gram, Index s, const SolverParams& params,
                                          const Observer& observe);

}  // namespace dualkpca
