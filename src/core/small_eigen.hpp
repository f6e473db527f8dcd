#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Eigenpairs of a symmetric matrix of a few hundred rows by LAPACK, in descending order.
struct SmallEigen {
  Vector values{};
  Matrix vectors{};  ///< one eigenvector per column
};
[[nodiscard]] SmallEigen small_eigen(const Matrix& A);

/// Returns the eigenvalues alone, in descending order.
[[nodiscard]] Vector small_eigenvalues(const Matrix& A);

}  // namespace dualkpca
