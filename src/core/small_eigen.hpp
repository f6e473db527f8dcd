#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Eigenpairs of a symmetric matrix of a few hundred rows by LAPACK, in descending order.
struct SmallEigen {
  Vector values{};
  Matrix vectors{};  ///< columns
};
[[nodiscard]] SmallEigen small_eigen(const Matrix& A);

/// The eigenvalues alone, descending.
[[nodiscard]] Vector small_eigenvalues(const Matrix& A);

}  // namespace dualkpca
