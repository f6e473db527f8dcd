#pragma once

#include "dualkpca/solver/solver.hpp"
#include "solver/krylov_process.hpp"

namespace dualkpca {

/// Columns of a block: s and some more, so that the wanted eigenvalues are separated from what the block leaves out.
[[nodiscard]] Index krylov_block(Index s, Index n);

/// Most columns of the basis that `memory` bytes allow (0: any number), for blocks of the given width.
[[nodiscard]] Index krylov_columns(std::size_t memory, Index n, Index block);

/// Options of a process for s components.
[[nodiscard]] KrylovProcess::Options krylov_options(const GramOperator& gram, Index s, Accuracy accuracy,
                                                    std::uint64_t seed, const GramFacts& facts);

/// solve_krylov from a given first block (n x w). `products_before_trust`: an estimate cannot end the run before so
/// many products.
[[nodiscard]] SolveResult solve_krylov_from(Matrix start, Index products_before_trust, const GramOperator& gram,
                                            Index s, const SolverParams& params, const GramFacts& facts,
                                            const Observer& observe);

}  // namespace dualkpca
