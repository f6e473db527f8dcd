#pragma once

#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Bounds on Lambda_s(G).
struct ErrorBounds {
  double lower = 0;
  double upper = 0;
};

/// Bounds the error of a given H (n x s) with the product GH: fills eta, eta_kind and, if eta is above tol, a status
/// and a message. Everything else in `result` stays as it is.
ErrorBounds certify(SolveResult& result, const GramOperator& gram, const SolverParams& params, const GramFacts& facts,
                    const Observer& observe);

}  // namespace dualkpca
