#pragma once

#include "dualkpca/core/types.hpp"

/// Reference decompositions by Eigen. They are compiled here once, because every use of one in another file would take
/// seconds to compile.
namespace dualkpca::test {

/// Eigenvalues of a symmetric matrix in ascending order, and the eigenvectors as columns in the same order.
class SymmetricEigen {
 public:
  explicit SymmetricEigen(const Matrix& A);
  [[nodiscard]] const Vector& eigenvalues() const { return values_; }
  [[nodiscard]] const Matrix& eigenvectors() const { return vectors_; }
  [[nodiscard]] Matrix inverse_root() const;

 private:
  Vector values_;
  Matrix vectors_;
};

/// Returns an orthonormal basis of the columns of A, by Householder reflections.
[[nodiscard]] Matrix orthonormal(const Matrix& A);
/// Returns X with AX = B, by LU with full pivoting.
[[nodiscard]] Matrix solve_linear(const Matrix& A, const Matrix& B);
/// Returns X with AX = B for a symmetric positive semi-definite A, by LDL'.
[[nodiscard]] Matrix solve_positive(const Matrix& A, const Matrix& B);
[[nodiscard]] Matrix inverse_of(const Matrix& A);
/// Returns a basis of all x with Ax = 0; one zero column if only x = 0 solves it.
[[nodiscard]] Matrix null_space(const Matrix& A);
/// Returns the right singular vectors of A as columns, that of the largest singular value first.
[[nodiscard]] Matrix right_singular_vectors(const Matrix& A);

}  // namespace dualkpca::test
