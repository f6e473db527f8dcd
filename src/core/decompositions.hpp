#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

// Decompositions of small matrices by Eigen. They are functions because each takes seconds to compile.

/// Eigenvalues in ascending order, and the eigenvectors as columns in the same order.
struct GradedEigen {
  Vector values{};
  Matrix vectors{};
};

/// Decomposes a symmetric matrix by the QR algorithm: it finds the small eigenvalues of a graded matrix to more digits
/// than LAPACK's divide and conquer (core/small_eigen.hpp) does.
[[nodiscard]] GradedEigen graded_eigen(const Matrix& A);

/// UV' of the singular value decomposition M = USV': of all matrices with orthonormal columns (or with orthonormal
/// rows, if M has more columns than rows) the one nearest to M, and the one with the largest <., M>. If M has not full
/// rank it is one of those.
[[nodiscard]] Matrix polar_factor(const Matrix& M);

/// An orthonormal basis of the columns of A (n x p, n >= p), by Householder reflections: they keep the small directions
/// of a power of G that a Cholesky factor would lose.
[[nodiscard]] Matrix orthonormal_columns(const Matrix& A);

}  // namespace dualkpca
