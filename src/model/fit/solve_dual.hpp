#pragma once

#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// Solves the dual of the given loss for the number of components, or for the share of the variance, that `params` ask
/// for. `solver`: parameters of the solver; `facts`: known properties of G. Losses other than square start from the
/// solution for the square loss, which also gives kappa_max and the number of components for a share.
[[nodiscard]] SolveResult solve_dual(const GramOperator& gram, const KernelPCAParams& params, SolverParams solver,
                                     const GramFacts& facts, const Observer& observe);

/// The solution for the square loss that others start from, to the accuracy they need. It has `s` components, or more
/// for a loss that can use them.
[[nodiscard]] SolveResult solve_start(const GramOperator& gram, Index s, const LossParams& loss,
                                      const SolverParams& solver, const GramFacts& facts, const Observer& observe);

}  // namespace dualkpca
