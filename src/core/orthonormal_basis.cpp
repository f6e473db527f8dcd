#include "core/orthonormal_basis.hpp"

#include <vector>

#include "core/tall_matrix.hpp"

extern "C" {
void dpstrf_(const char* uplo, const int* n, double* a, const int* lda, int* piv, int* rank, const double* tol,
             double* work, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
}

namespace dualkpca {

OrthonormalBasis orthonormal_basis(const Matrix& X, double left_out) {
  const Index d = X.cols();
  const int n = static_cast<int>(d);
  // Pivoted Cholesky: X'X = U'U. It ends where the squared norm of every remaining column, outside the span of the
  // earlier ones, is at most the tolerance. The rows of U then span the row space of X.
  Matrix U = inner(X, X);
  const double rounding = static_cast<double>(d) * std::numeric_limits<double>::epsilon() * U.diagonal().maxCoeff();
  const double tolerance = std::max(left_out, rounding);
  std::vector<int> pivots(static_cast<std::size_t>(d));
  std::vector<double> work(static_cast<std::size_t>(std::max<Index>(2, 64) * d)), tau(static_cast<std::size_t>(d));
  int rank = 0, info = 0;
  dpstrf_("U", &n, U.data(), &n, pivots.data(), &rank, &tolerance, work.data(), &info);
  if (info < 0 || rank < 1) return {};
  // U is column-major with its columns in pivot order. Q below is column-major too: its columns are the rows of Qt.
  OrthonormalBasis basis{.Qt = Matrix::Zero(d, d), .rank = rank};
  for (Index j = 0; j < d; ++j)
    for (Index k = 0; k <= std::min<Index>(j, rank - 1); ++k)
      basis.Qt(k, pivots[static_cast<std::size_t>(j)] - 1) = U.data()[j * d + k];
  const int lwork = static_cast<int>(work.size());
  dgeqrf_(&n, &rank, basis.Qt.data(), &n, tau.data(), work.data(), &lwork, &info);
  dorgqr_(&n, &n, &rank, basis.Qt.data(), &n, tau.data(), work.data(), &lwork, &info);
  return basis;
}

}  // namespace dualkpca
