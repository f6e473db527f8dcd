#include <algorithm>

#include "core/blas.hpp"
#include "kernel/panel_math.hpp"
#include "kernel/sparse_panel.hpp"
#include "kernel/tiles.hpp"

namespace dualkpca {

namespace {

// Copies the lower triangle to the upper one, a few rows and columns at a time so that neither side misses the cache.
template <class T>
void mirror(const TileRef<T>& out) {
  constexpr Index square = 32;
  for (Index i0 = 0; i0 < out.rows; i0 += square)
    for (Index j0 = 0; j0 <= i0; j0 += square)
      for (Index i = i0; i < std::min(out.rows, i0 + square); ++i)
        for (Index j = j0; j < std::min(i, j0 + square); ++j) out.row(j)[i] = out.row(i)[j];
}

}  // namespace

template <class T>
void inner_product_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out) {
  if (A.data == B.data && A.rows == B.rows && A.stride == B.stride) {  // on the diagonal of a Gram matrix
    blas::lower_gram(A.rows, A.cols, A.data, A.stride, out.data, out.stride);
    mirror(out);
    return;
  }
  blas::gemm(blas::Op::none, blas::Op::transpose, A.rows, B.rows, A.cols, T{1}, A.data, A.stride, B.data, B.stride,
             T{0}, out.data, out.stride);
}

template <class T>
void inner_product_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out) {
  sparse_tile(A, B, out, [](auto... arguments) { vector_math::panel_products(arguments...); });
}

template void inner_product_tile(const DenseRows<float>&, const DenseRows<float>&, const TileRef<float>&);
template void inner_product_tile(const DenseRows<double>&, const DenseRows<double>&, const TileRef<double>&);
template void inner_product_tile(const SparseRows<float>&, const SparseRows<float>&, const TileRef<float>&);
template void inner_product_tile(const SparseRows<double>&, const SparseRows<double>&, const TileRef<double>&);

}  // namespace dualkpca
