#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

// Products of n x p matrices with n much larger than p. By BLAS: Eigen built for the baseline instruction set takes ten
// times as long, and these products are all a solver does beside the product with G. With `threads` above 1 the rows
// are shared out, since BLAS's own threads share out p; 1 leaves the choice to BLAS.

/// A'B
[[nodiscard]] Matrix inner(ConstMatrixRef A, ConstMatrixRef B, int threads = 1);

/// A'A
[[nodiscard]] Matrix inner_square(const Matrix& A);

/// out = alpha A C + beta out
void add_times(MatrixRef out, ConstMatrixRef A, ConstMatrixRef C, double alpha, double beta, int threads = 1);

/// A C for a p x q matrix C
[[nodiscard]] Matrix times(ConstMatrixRef A, ConstMatrixRef C, int threads = 1);

/// Sums of the columns, a row at a time as the rows lie in memory: down the columns, as Eigen's colwise() goes, every
/// number comes with a cache line of others.
[[nodiscard]] Eigen::RowVectorXd column_sums(ConstMatrixRef A);

/// tr A'B
[[nodiscard]] double dot(const Matrix& A, const Matrix& B);

}  // namespace dualkpca
