#pragma once

#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Columns of a block: s and some more, so that the wanted eigenvalues are separated from what the block leaves out.
[[nodiscard]] Index krylov_block(Index s, Index n);

/// Most columns of the basis that `memory` bytes allow (0: any number), for blocks of the given width.
[[nodiscard]] Index krylov_columns(std::size_t memory, Index n, Index block);

/// solve_krylov from a given first block (n x w). `products_before_trust`: an estimate is not believed before that
/// many.
[[nodiscard]] SolveResult solve_krylov_from(Matrix start, Index products_before_trust, const GramOperator& gram,
                                            Index s, const SolverParams& params, const GramFacts& facts,
                                            const Observer& observe);

/// Bounds on Lambda_s(G).
struct ErrorBounds {
  double lower = 0;
  double upper = 0;
};

/// Bounds the error of a given H (n x s) with the product GH: fills eta, eta_kind and, if eta is above tol, a status
/// and a message. Everything else in `result` stays.
ErrorBounds certify(SolveResult& result, const GramOperator& gram, const SolverParams& params, const GramFacts& facts,
                    const Observer& observe);

}  // namespace dualkpca
