#pragma once

#include <algorithm>

#include "dualkpca/core/types.hpp"

// Fortran names that every BLAS and LAPACK exports.
extern "C" {
void sgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const float* alpha,
            const float* a, const int* lda, const float* b, const int* ldb, const float* beta, float* c,
            const int* ldc);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
void ssyrk_(const char* uplo, const char* trans, const int* n, const int* k, const float* alpha, const float* a,
            const int* lda, const float* beta, float* c, const int* ldc);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* beta, double* c, const int* ldc);
void dsyr2k_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* a,
             const int* lda, const double* b, const int* ldb, const double* beta, double* c, const int* ldc);
void dlatrd_(const char* uplo, const int* n, const int* nb, double* a, const int* lda, double* e, double* tau,
             double* w, const int* ldw);
void dsytd2_(const char* uplo, const int* n, double* a, const int* lda, double* d, double* e, double* tau, int* info);
void dstemr_(const char* jobz, const char* range, const int* n, double* d, double* e, const double* vl,
             const double* vu, const int* il, const int* iu, int* m, double* w, double* z, const int* ldz,
             const int* nzc, int* isuppz, int* tryrac, double* work, const int* lwork, int* iwork, const int* liwork,
             int* info);
void dstedc_(const char* compz, const int* n, double* d, double* e, double* z, const int* ldz, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
void dormtr_(const char* side, const char* uplo, const char* trans, const int* m, const int* n, const double* a,
             const int* lda, const double* tau, double* c, const int* ldc, double* work, const int* lwork, int* info);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
void dposv_(const char* uplo, const int* n, const int* nrhs, double* a, const int* lda, double* b, const int* ldb,
            int* info);
}

namespace dualkpca::blas {

enum class Op { none, transpose };

/// Computes C (m x n) = alpha op(A) op(B) + beta C, all row-major; op(A) is m x k. Callers pass one tile at a time, so
/// all sizes fit an int.
template <class T>
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, T alpha, const T* a, Index lda, const T* b, Index ldb, T beta,
          T* c, Index ldc) {
  if (m == 0 || n == 0) return;
  const auto code = [](Op op) { return op == Op::none ? 'N' : 'T'; };
  const char ta = code(op_a), tb = code(op_b);
  const int im = static_cast<int>(m), in = static_cast<int>(n), ik = static_cast<int>(k);
  const int ia = static_cast<int>(std::max<Index>(1, lda)), ib = static_cast<int>(std::max<Index>(1, ldb)),
            ic = static_cast<int>(std::max<Index>(1, ldc));
  // Row-major C = A B is column-major C' = B' A'.
  if constexpr (sizeof(T) == sizeof(float)) {
    sgemm_(&tb, &ta, &in, &im, &ik, &alpha, b, &ib, a, &ia, &beta, c, &ic);
  } else {
    dgemm_(&tb, &ta, &in, &im, &ik, &alpha, b, &ib, a, &ia, &beta, c, &ic);
  }
}

/// Computes the lower triangle of C (n x n) = A A' for A (n x k), both row-major, with half of the work of gemm.
template <class T>
void lower_gram(Index n, Index k, const T* a, Index lda, T* c, Index ldc) {
  const char upper = 'U', transpose = 'T';  // BLAS sees column-major matrices
  const int in = static_cast<int>(n), ik = static_cast<int>(k);
  const int ia = static_cast<int>(std::max<Index>(1, lda)), ic = static_cast<int>(std::max<Index>(1, ldc));
  const T one{1}, zero{0};
  if constexpr (sizeof(T) == sizeof(float)) {
    ssyrk_(&upper, &transpose, &in, &ik, &one, a, &ia, &zero, c, &ic);
  } else {
    dsyrk_(&upper, &transpose, &in, &ik, &one, a, &ia, &zero, c, &ic);
  }
}

}  // namespace dualkpca::blas
