#pragma once

#include "dualkpca/core/types.hpp"

/// Eigen's decompositions, which tests compare with. They are functions compiled once, because each of them takes
/// seconds to compile wherever it stands.
namespace dualkpca::test {

/// Eigenvalues in ascending order, and the eigenvectors as columns in the same order, of a symmetric matrix.
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

/// An orthonormal basis of the columns of A, by Householder reflections.
[[nodiscard]] Matrix orthonormal(const Matrix& A);
/// X with AX = B, by LU with full pivoting.
[[nodiscard]] Matrix solve_linear(const Matrix& A, const Matrix& B);
/// The same for a symmetric positive semi-definite A, by LDL'.
[[nodiscard]] Matrix solve_positive(const Matrix& A, const Matrix& B);
[[nodiscard]] Matrix inverse_of(const Matrix& A);
/// A basis of all x with Ax = 0; one zero column if there is none.
[[nodiscard]] Matrix null_space(const Matrix& A);
/// The right singular vectors of A as columns, that of the largest singular value first.
[[nodiscard]] Matrix right_singular_vectors(const Matrix& A);

}  // namespace dualkpca::test
