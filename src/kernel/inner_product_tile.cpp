#include "core/blas.hpp"
#include "kernel/panel_math.hpp"
#include "kernel/sparse_panel.hpp"
#include "kernel/tiles.hpp"

namespace dualkpca {

template <class T>
void inner_product_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out) {
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
