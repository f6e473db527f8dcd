#pragma once

#include <algorithm>

#include "dualkpca/solver/solver.hpp"
#include "solver/krylov_process.hpp"

namespace dualkpca {

/// Returns the number of columns of a block: s and some more, so that the wanted eigenvalues are separated from what
/// the block leaves out.
[[nodiscard]] Index krylov_block(Index s, Index n);
/// Returns the largest width of a block for s components: twice as many, and at least eight columns.
[[nodiscard]] inline Index widest_block(Index s) { return std::max<Index>(8, 2 * s); }

/// Returns the largest number of columns of the basis, for blocks of `block` columns. `memory`: bytes that it may take;
/// 0: any number.
[[nodiscard]] Index krylov_columns(std::size_t memory, Index n, Index block);

/// Returns the options of a process for s components.
[[nodiscard]] KrylovProcess::Options krylov_options(const GramOperator& gram, Index s, Accuracy accuracy,
                                                    std::uint64_t seed, const GramFacts& facts);

/// Solves as solve_krylov() does, from a given first block (n x w). `products_before_trust`: an estimate cannot end the
/// run before so many products.
[[nodiscard]] SolveResult solve_krylov_from(Matrix start, Index products_before_trust, const GramOperator& gram,
                                            Index s, const SolverParams& params, const GramFacts& facts,
                                            const Observer& observe);

}  // namespace dualkpca
