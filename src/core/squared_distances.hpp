#pragma once

#include "core/blas.hpp"

namespace dualkpca {

/// Returns |a - b|^2 for every row a of A (p x d) and b of B (q x d), p x q, by one matrix product. The error is of the
/// order of the rounding of the squared norms.
[[nodiscard]] inline Matrix squared_distances(ConstMatrixRef A, ConstMatrixRef B) {
  Matrix D(A.rows(), B.rows());
  blas::gemm(blas::Op::none, blas::Op::transpose, A.rows(), B.rows(), A.cols(), -2.0, A.data(), A.outerStride(),
             B.data(), B.outerStride(), 0.0, D.data(), D.cols());
  const Vector a = A.rowwise().squaredNorm(), b = B.rowwise().squaredNorm();
  D.colwise() += a;
  D.rowwise() += b.transpose();
  return D.cwiseMax(0);
}

}  // namespace dualkpca
