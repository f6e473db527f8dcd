#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Solves for the smallest number of components that explain `fraction` of the variance, which is tr G.
[[nodiscard]] SolveResult solve_fraction(const GramOperator& gram, double fraction, const SolverParams& params,
                                         const GramFacts& facts, const Observer& observe);

}  // namespace dualkpca
