#pragma once

#include <string>
#include <vector>

#include "dualkpca/core/types.hpp"
#include "dualkpca/kernel/kernel.hpp"

/// Slow and obvious reference implementations.
namespace dualkpca::test {

struct KernelCase {
  KernelName name;
  double gamma;
  int degree;
  double coef0;
};
std::string case_name(const KernelCase& kernel);

/// Returns k(x, y) from its formula, in long double.
double naive_kernel(const KernelCase& kernel, const double* x, const double* y, Index d);
/// Returns K with K(i, j) = k(A.row(i), B.row(j)).
Matrix naive_kernel_matrix(const KernelCase& kernel, const Matrix& A, const Matrix& B);
/// Returns J K J with J = I - 11'/n.
Matrix naive_centered(const Matrix& K);
/// Returns c with `weights` on `rows` and zeros elsewhere. If a row is given twice, its weights are added.
Vector spread(Index n, const std::vector<Index>& rows, const Vector& weights);
/// Returns (I - 1c') K (I - c1').
Matrix naive_centered_at(const Matrix& K, const Vector& c);
/// Returns eigenvalues in descending order, by Eigen's QR iteration. The library uses LAPACK, another algorithm.
Vector eigenvalues_descending(const Matrix& G);
/// Returns a random rows x cols matrix with orthonormal columns, cols <= rows.
Matrix random_orthonormal(Index rows, Index cols, std::uint64_t seed);
/// Returns Q diag(values) Q' with a random orthogonal Q.
Matrix with_spectrum(const Vector& values, std::uint64_t seed);
/// Singular values of M in descending order, and its polar factor U V', without singular values that are only rounding.
struct Polar {
  Vector sigma{};
  Matrix W{};
};
Polar polar(const Matrix& M);
/// Returns X with the rounding of this precision.
Matrix rounded(const Matrix& X, Precision precision);

}  // namespace dualkpca::test
