#pragma once

#include <functional>

#include "baselines/comparison.hpp"

namespace dualkpca::baselines {

/// Throws InvalidArgument with field, value and range if a parameter is outside its range.
void validate(const SparseKpcaParams& params);

/// Returns solve_at(params.lambda1), normalised. If params.sparsity is set, it searches lambda1 in [0, largest] and
/// returns the result with the nearest share of zeros. B is zero at `largest`. `solve_at` fills B, which is not yet
/// normalised, and stores GB as scores; this function fills the other fields.
[[nodiscard]] SparseKpcaResult with_sparsity(const GramOperator& gram, const SparseKpcaParams& params, double largest,
                                             const std::function<SparseKpcaResult(double lambda1)>& solve_at);

}  // namespace dualkpca::baselines
