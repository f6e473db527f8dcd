#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Solves for the fewest components that explain `fraction` of tr G.
[[nodiscard]] SolveResult solve_fraction(const GramOperator& gram, double fraction, const SolverParams& params,
                                         const GramFacts& facts, const Observer& observe);

}  // namespace dualkpca
