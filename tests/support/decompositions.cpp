#include "support/decompositions.hpp"

#include <Eigen/Dense>

namespace dualkpca::test {

SymmetricEigen::SymmetricEigen(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  values_ = eigen.eigenvalues();
  vectors_ = eigen.eigenvectors();
}

Matrix SymmetricEigen::inverse_root() const {
  return vectors_ * values_.cwiseSqrt().cwiseInverse().asDiagonal() * vectors_.transpose();
}

Matrix orthonormal(const Matrix& A) {
  return Eigen::HouseholderQR<Matrix>(A).householderQ() * Matrix::Identity(A.rows(), A.cols());
}

Matrix solve_linear(const Matrix& A, const Matrix& B) { return A.fullPivLu().solve(B); }

Matrix solve_positive(const Matrix& A, const Matrix& B) { return A.ldlt().solve(B); }

Matrix inverse_of(const Matrix& A) { return A.inverse(); }

Matrix null_space(const Matrix& A) { return A.fullPivLu().kernel(); }

Matrix right_singular_vectors(const Matrix& A) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(A, Eigen::ComputeThinV).matrixV();
}

}  // namespace dualkpca::test
