#include <vector>

#include "kernel/distance_math.hpp"
#include "kernel/radial_math.hpp"
#include "kernel/rows.hpp"
#include "kernel/tiles.hpp"
#include "kernel/transposed_rows.hpp"

namespace dualkpca {
namespace {

template <class T>
void direct(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out) {
  const std::vector<T> transposed = transposed_rows(B, 0, B.cols);
  for (Index i = 0; i < A.rows; ++i)
    vector_math::squared_distances_from_differences(A.row(i), transposed.data(), B.rows, A.cols, out.row(i), B.rows);
}

// The squared norms of the rows, computed unless they are known.
template <class T>
class Norms {
 public:
  template <class Rows>
  explicit Norms(const Rows& A) : data_(A.norms) {
    if (data_ != nullptr) return;
    computed_.resize(static_cast<std::size_t>(A.rows));
    squared_norms(A, computed_.data());
    data_ = computed_.data();
  }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T operator[](Index i) const { return data_[i]; }

 private:
  std::vector<T> computed_{};
  const T* data_;
};

template <class Rows, class T>
void by_products(const Rows& A, const Rows& B, const TileRef<T>& out) {
  const Norms<T> a_norm(A), b_norm(B);
  inner_product_tile(A, B, out);
  constexpr T threshold = cancellation_threshold<T>;
  for (Index i = 0; i < A.rows; ++i) {
    T* row = out.row(i);
    if (!vector_math::squared_distances_from_products(row, B.rows, a_norm[i], b_norm.data(), threshold)) continue;
    for (Index j = 0; j < B.rows; ++j)
      if (row[j] < threshold * (a_norm[i] + b_norm[j])) row[j] = squared_distance(A, i, B, j);
  }
}

template <class T>
void map(vector_math::Radial kind, T factor, T* row, Index n) {
  switch (kind) {
    case vector_math::Radial::exp: return vector_math::exp_of(row, n, factor);
    case vector_math::Radial::exp_of_root: return vector_math::exp_of_root(row, n, factor);
    case vector_math::Radial::matern32_of_root: return vector_math::matern32_of_root(row, n, factor);
    case vector_math::Radial::matern52_of_root: return vector_math::matern52_of_root(row, n, factor);
  }
}

template <class Rows, class T>
void radial_by_products(const Rows& A, const Rows& B, vector_math::Radial kind, T factor, const TileRef<T>& out) {
  const Norms<T> a_norm(A), b_norm(B);
  std::vector<std::int32_t> cancelled(static_cast<std::size_t>(B.rows));
  inner_product_tile(A, B, out);
  for (Index i = 0; i < A.rows; ++i) {
    T* row = out.row(i);
    const Index count = vector_math::radial_from_products(row, B.rows, a_norm[i], b_norm.data(),
                                                          cancellation_threshold<T>, kind, factor, cancelled.data());
    for (Index c = 0; c < count; ++c) {
      const Index j = cancelled[static_cast<std::size_t>(c)];
      row[j] = squared_distance(A, i, B, j);
      map(kind, factor, row + j, 1);
    }
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

template <class T>
void radial_tile(const DenseRows<T>& A, const DenseRows<T>& B, vector_math::Radial kind, T factor,
                 const TileRef<T>& out) {
  if (A.cols > max_direct_columns) return radial_by_products(A, B, kind, factor, out);
  direct(A, B, out);
  for (Index i = 0; i < out.rows; ++i) map(kind, factor, out.row(i), out.cols);
}

template <class T>
void radial_tile(const SparseRows<T>& A, const SparseRows<T>& B, vector_math::Radial kind, T factor,
                 const TileRef<T>& out) {
  radial_by_products(A, B, kind, factor, out);
}

template void squared_distance_tile(const DenseRows<float>&, const DenseRows<float>&, const TileRef<float>&);
template void squared_distance_tile(const DenseRows<double>&, const DenseRows<double>&, const TileRef<double>&);
template void squared_distance_tile(const SparseRows<float>&, const SparseRows<float>&, const TileRef<float>&);
template void squared_distance_tile(const SparseRows<double>&, const SparseRows<double>&, const TileRef<double>&);

template void radial_tile(const DenseRows<float>&, const DenseRows<float>&, vector_math::Radial, float,
                          const TileRef<float>&);
template void radial_tile(const DenseRows<double>&, const DenseRows<double>&, vector_math::Radial, double,
                          const TileRef<double>&);
template void radial_tile(const SparseRows<float>&, const SparseRows<float>&, vector_math::Radial, float,
                          const TileRef<float>&);
template void radial_tile(const SparseRows<double>&, const SparseRows<double>&, vector_math::Radial, double,
                          const TileRef<double>&);

}  // namespace dualkpca
