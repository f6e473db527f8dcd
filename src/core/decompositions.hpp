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

/// Returns UV' of the singular value decomposition M = USV'. Among all matrices with orthonormal columns (or
/// orthonormal rows, if M has more columns than rows) it is the nearest to M and has the largest <., M>. It is not
/// unique if M is rank-deficient.
[[nodiscard]] Matrix polar_factor(const Matrix& M);

/// Returns an orthonormal basis of the columns of A (n x p, n >= p), by Householder reflections: they keep the small
/// directions of a power of G that a Cholesky factor would lose.
[[nodiscard]] Matrix orthonormal_columns(const Matrix& A);

}  // namespace dualkpca
