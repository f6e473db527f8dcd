#pragma once

#include <string>
#include <vector>

#include "dualkpca/core/types.hpp"
#include "dualkpca/kernel/kernel.hpp"

/// The slow and obvious versions everything is compared with.
namespace dualkpca::test {

struct KernelCase {
  KernelName name;
  double gamma;
  int degree;
  double coef0;
};
std::string case_name(const KernelCase& kernel);

/// k(x, y) from its formula, in long double.
double naive_kernel(const KernelCase& kernel, const double* x, const double* y, Index d);
/// K(i, j) = k(A.row(i), B.row(j))
Matrix naive_kernel_matrix(const KernelCase& kernel, const Matrix& A, const Matrix& B);
/// J K J with J = I - 11'/n
Matrix naive_centered(const Matrix& K);
/// c with `weights` on `rows`, added up where a row is given twice, and zeros elsewhere.
Vector spread(Index n, const std::vector<Index>& rows, const Vector& weights);
/// (I - 1c') K (I - c1')
Matrix naive_centered_at(const Matrix& K, const Vector& c);
/// Eigenvalues by Eigen's QR iteration, descending: a different algorithm from the LAPACK routine the library calls.
Vector eigenvalues_descending(const Matrix& G);
/// rows x cols with orthonormal columns, cols <= rows.
Matrix random_orthonormal(Index rows, Index cols, std::uint64_t seed);
/// Q diag(values) Q' with a random orthogonal Q.
Matrix with_spectrum(const Vector& values, std::uint64_t seed);
/// The singular values of M, descending, and its polar factor U V' over those that are not rounding.
struct Polar {
  Vector sigma{};
  Matrix W{};
};
Polar polar(const Matrix& M);
/// Float32 as stored, widened again.
Matrix rounded(const Matrix& X, Precision precision);

}  // namespace dualkpca::test
