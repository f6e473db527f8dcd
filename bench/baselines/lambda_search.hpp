#pragma once

#include <functional>

#include "baselines/comparison.hpp"

namespace dualkpca::baselines {

/// Throws InvalidArgument naming field, value and range.
void validate(const SparseKpcaParams& params);

/// solve_at(params.lambda1), or with a sparsity the result for the lambda1 in [0, largest] that comes nearest to it.
/// With `largest` everything is zero. `solve_at` fills B, not yet normalised, and its product in place of the scores;
/// this fills what is left.
[[nodiscard]] SparseKpcaResult with_sparsity(const GramOperator& gram, const SparseKpcaParams& params, double largest,
                                             const std::function<SparseKpcaResult(double lambda1)>& solve_at);

}  // namespace dualkpca::baselines
