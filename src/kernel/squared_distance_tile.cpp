#include <vector>

#include "kernel/rows.hpp"
#include "kernel/tiles.hpp"
#include "kernel/transposed_rows.hpp"
#include "kernel/vector_math.hpp"

namespace dualkpca {
namespace {

// Up to this many columns the differences are formed directly: about as fast as a GEMM of that inner dimension, and
// there is no cancellation to repair.
constexpr Index max_direct_columns = 32;

// Below this share of |x|^2 + |y|^2 a distance from inner products has lost too many digits (its relative error is
// about epsilon over this share), and it is computed again from the differences.
template <class T>
constexpr T cancellation_threshold = precision_of<T> == Precision::float32 ? T{1} / 256 : T{1e-6};

template <class T>
void direct(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out) {
  const std::vector<T> transposed = transposed_rows(B, 0, B.cols);
  for (Index i = 0; i < A.rows; ++i)
    vector_math::squared_distances_from_differences(A.row(i), transposed.data(), B.rows, A.cols, out.row(i), B.rows);
}

template <class Rows, class T>
void by_products(const Rows& A, const Rows& B, const TileRef<T>& out) {
  std::vector<T> a_norm(static_cast<std::size_t>(A.rows)), b_norm(static_cast<std::size_t>(B.rows));
  squared_norms(A, a_norm.data());
  squared_norms(B, b_norm.data());
  inner_product_tile(A, B, out);
  constexpr T threshold = cancellation_threshold<T>;
  for (Index i = 0; i < A.rows; ++i) {
    T* row = out.row(i);
    const T norm = a_norm[static_cast<std::size_t>(i)];
    if (!vector_math::squared_distances_from_products(row, B.rows, norm, b_norm.data(), threshold)) continue;
    for (Index j = 0; j < B.rows; ++j)
      if (row[j] < threshold * (norm + b_norm[static_cast<std::size_t>(j)])) row[j] = squared_distance(A, i, B, j);
  }
}

}  // namespace

template <class T>
void squared_distance_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out) {
  A.cols <= max_direct_columns ? direct(A, B, out) : by_products(A, B, out);
}

template <class T>
void squared_distance_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out) {
  by_products(A, B, out);
}

template void squared_distance_tile(const DenseRows<float>&, const DenseRows<float>&, const TileRef<float>&);
template void squared_distance_tile(const DenseRows<double>&, const DenseRows<double>&, const TileRef<double>&);
template void squared_distance_tile(const SparseRows<float>&, const SparseRows<float>&, const TileRef<float>&);
template void squared_distance_tile(const SparseRows<double>&, const SparseRows<double>&, const TileRef<double>&);

}  // namespace dualkpca
