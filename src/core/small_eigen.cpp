#include "core/small_eigen.hpp"

#include <optional>

#include "core/blas.hpp"
#include "core/lapack_workspace.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"

namespace dualkpca {
namespace {

// Returns the eigenvalues in ascending order; if `vectors`, the rows of A become the eigenvectors.
Vector decompose(Matrix& A, bool vectors) {
  std::optional<BlasThreadGuard> one_blas_thread;  // for a small matrix, more threads cost more than they save
  if (A.rows() < 700) one_blas_thread.emplace();
  const int n = static_cast<int>(A.rows());
  Vector values(n);
  if (n == 0) return values;
  int info = 0;
  call_with_workspace([&](double* work, const int* lwork, int* iwork, const int* liwork) {
    dsyevd_(vectors ? "V" : "N", "L", &n, A.data(), &n, values.data(), work, lwork, iwork, liwork, &info);
  });
  if (info != 0)
    throw DataError("LAPACK dsyevd did not converge: the matrix has values that are too large or not finite");
  return values;
}

}  // namespace

SmallEigen small_eigen(const Matrix& A) {
  Matrix work = 0.5 * (A + A.transpose());
  const Vector values = decompose(work, true);
  return {.values = values.reverse(), .vectors = work.colwise().reverse().transpose()};
}

Vector small_eigenvalues(const Matrix& A) {
  Matrix work = 0.5 * (A + A.transpose());
  return decompose(work, false).reverse();
}

}  // namespace dualkpca
