#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

// Products of n x p matrices with n much larger than p, by BLAS. Eigen built for the baseline instruction set takes ten
// times as long, and apart from the product with G these products are all the work of a solver. With `threads` above 1
// the rows are divided among threads, since the threads of BLAS itself divide p; 1 leaves the choice to BLAS.

/// A'B
[[nodiscard]] Matrix inner(ConstMatrixRef A, ConstMatrixRef B, int threads = 1);

/// A'A
[[nodiscard]] Matrix inner_square(const Matrix& A);

/// out = alpha A C + beta out
void add_times(MatrixRef out, ConstMatrixRef A, ConstMatrixRef C, double alpha, double beta, int threads = 1);

/// A C for a p x q matrix C
[[nodiscard]] Matrix times(ConstMatrixRef A, ConstMatrixRef C, int threads = 1);

/// Column sums, added row by row as the matrix lies in memory. Eigen's colwise() walks down the columns, where every
/// number costs a cache line of its own.
[[nodiscard]] Eigen::RowVectorXd column_sums(ConstMatrixRef A);

/// tr A'B
[[nodiscard]] double dot(const Matrix& A, const Matrix& B);

}  // namespace dualkpca
