#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

// Products of n x p matrices with n much larger than p, by BLAS. Eigen built for the baseline instruction set takes ten
// times as long, and apart from the product with G these products are all the work of a solver. With `threads` above 1
// the n rows are divided among threads, since BLAS itself would divide the p columns; 1 leaves the choice to BLAS.

/// Returns A'B.
[[nodiscard]] Matrix inner(ConstMatrixRef A, ConstMatrixRef B, int threads = 1);

/// Returns A'A.
[[nodiscard]] Matrix inner_square(const Matrix& A);

/// Computes out = alpha A C + beta out.
void add_times(MatrixRef out, ConstMatrixRef A, ConstMatrixRef C, double alpha, double beta, int threads = 1);

/// Returns A C for a p x q matrix C.
[[nodiscard]] Matrix times(ConstMatrixRef A, ConstMatrixRef C, int threads = 1);

/// Returns the column sums, added row by row as the matrix lies in memory. Eigen's colwise() walks down the columns,
/// where every number costs a cache line of its own.
[[nodiscard]] Eigen::RowVectorXd column_sums(ConstMatrixRef A);

/// Returns tr A'B.
[[nodiscard]] double dot(const Matrix& A, const Matrix& B);

}  // namespace dualkpca
