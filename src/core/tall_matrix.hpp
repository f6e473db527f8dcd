#pragma once

#include "core/blas.hpp"

namespace dualkpca {

/// A'B for n x p and n x q matrices with n much larger than p and q. By BLAS: Eigen built for the baseline instruction
/// set takes ten times as long, and these products are all a solver does beside the product with G.
[[nodiscard]] inline Matrix inner(const Matrix& A, const Matrix& B) {
  Matrix out = Matrix::Zero(A.cols(), B.cols());
  blas::gemm(blas::Op::transpose, blas::Op::none, A.cols(), B.cols(), A.rows(), 1.0, A.data(), A.cols(), B.data(),
             B.cols(), 0.0, out.data(), out.cols());
  return out;
}

/// A C for an n x p and a p x q matrix.
[[nodiscard]] inline Matrix times(const Matrix& A, const Matrix& C) {
  Matrix out = Matrix::Zero(A.rows(), C.cols());
  blas::gemm(blas::Op::none, blas::Op::none, A.rows(), C.cols(), A.cols(), 1.0, A.data(), A.cols(), C.data(), C.cols(),
             0.0, out.data(), out.cols());
  return out;
}

}  // namespace dualkpca
