#pragma once

#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// The rule behind SolverName::automatic; the result says which solver ran and why.
[[nodiscard]] SolveResult solve_automatic(const GramOperator& gram, Index s, const SolverParams& params,
                                          const Observer& observe);

}  // namespace dualkpca
