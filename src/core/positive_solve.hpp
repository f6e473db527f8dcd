#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Returns A^{-1} B for a symmetric positive definite A (m x m) and B (m x d), by LAPACK's Cholesky factorisation.
/// Throws DataError if A is not positive definite in float64.
[[nodiscard]] Matrix positive_solve(Matrix A, const Matrix& B);

}  // namespace dualkpca
