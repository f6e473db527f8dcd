#pragma once

#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Bounds on Lambda_s(G) and on the error of a given H. Both include rounding, and fail with the probability that a
/// certificate has.
struct ErrorBounds {
  double lower = 0;    ///< lower bound of Lambda_s(G)
  double upper = 0;    ///< upper bound of Lambda_s(G)
  double eta_low = 0;  ///< lower bound of the error 1 - 2|d(H)| / Lambda_s(G)
};

/// Bounds the error of a given H (n x s) with the product GH: fills eta, eta_kind and, if eta is above tol, a status
/// and a message. Everything else in `result` stays as it is.
ErrorBounds certify(SolveResult& result, const GramOperator& gram, const SolverParams& params, const GramFacts& facts,
                    const Observer& observe);

}  // namespace dualkpca
