#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/distance_math.hpp"
#include "kernel/panel_math.hpp"
#include "kernel/rows.hpp"
#include "kernel/sparse_panel.hpp"
#include "kernel/tiles.hpp"
#include "kernel/transposed_rows.hpp"

namespace dualkpca {
namespace {

constexpr Index columns_at_once = 64;  // 128 KiB of a transposed float32 tile stay in the cache for all rows of A

template <class T>
std::vector<T> manhattan_norms(const SparseRows<T>& A) {
  std::vector<T> norms(static_cast<std::size_t>(A.rows));
  for (Index i = 0; i < A.rows; ++i) {
    const Entries<T> row = entries_of(A, i);
    double sum = 0;
    for (Index k = 0; k < row.count; ++k) sum += std::abs(static_cast<double>(row.values[k]));
    norms[static_cast<std::size_t>(i)] = static_cast<T>(sum);
  }
  return norms;
}

template <class T>
T manhattan_distance(const SparseRows<T>& A, Index i, const SparseRows<T>& B, Index j) {
  T sum = 0;
  for_each_pair(A, i, B, j, [&](T x, T y) { sum += std::abs(x - y); });
  return sum;
}

}  // namespace

template <class T>
void manhattan_distance_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out) {
  for (Index i = 0; i < out.rows; ++i) std::fill_n(out.row(i), out.cols, T{0});
  for (Index first = 0; first < A.cols; first += columns_at_once) {
    const Index count = std::min(columns_at_once, A.cols - first);
    const std::vector<T> transposed = transposed_rows(B, first, count);
    for (Index i = 0; i < A.rows; ++i)
      vector_math::add_absolute_differences(A.row(i) + first, transposed.data(), B.rows, count, out.row(i), B.rows);
  }
}

// Computes |x - y|_1 as |x|_1 + |y|_1 + the sum over common columns of |x - y| - |x| - |y|.
template <class T>
void manhattan_distance_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out) {
  const std::vector<T> a_norm = manhattan_norms(A), b_norm = manhattan_norms(B);
  sparse_tile(A, B, out, [](auto... arguments) { vector_math::panel_overlaps(arguments...); });
  for (Index i = 0; i < A.rows; ++i)
    for (Index j = 0; j < B.rows; ++j) {
      const T sum = a_norm[static_cast<std::size_t>(i)] + b_norm[static_cast<std::size_t>(j)];
      T& distance = out.row(i)[j];
      distance += sum;
      if (distance < cancellation_threshold<T> * sum) distance = manhattan_distance(A, i, B, j);
    }
}

template void manhattan_distance_tile(const DenseRows<float>&, const DenseRows<float>&, const TileRef<float>&);
template void manhattan_distance_tile(const DenseRows<double>&, const DenseRows<double>&, const TileRef<double>&);
template void manhattan_distance_tile(const SparseRows<float>&, const SparseRows<float>&, const TileRef<float>&);
template void manhattan_distance_tile(const SparseRows<double>&, const SparseRows<double>&, const TileRef<double>&);

}  // namespace dualkpca
