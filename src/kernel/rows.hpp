#pragma once

#include <cmath>
#include <vector>

#include "dualkpca/data/samples.hpp"
#include "kernel/distance_math.hpp"

namespace dualkpca {

// Functions of single rows, with the same names for dense and sparse rows.

/// The stored entries of a row.
template <class T>
struct Entries {
  const T* values;
  Index count;
};
template <class T>
Entries<T> entries_of(const DenseRows<T>& A, Index i) {
  return {A.row(i), A.cols};
}
template <class T>
Entries<T> entries_of(const SparseRows<T>& A, Index i) {
  return {A.values + A.offsets[i], A.offsets[i + 1] - A.offsets[i]};
}

/// Computes out[i] = |A.row(i)|^2, summed in float64.
template <class Rows, class Out>
void squared_norms(const Rows& A, Out* out) {
  for (Index i = 0; i < A.rows; ++i) {
    const auto row = entries_of(A, i);
    out[i] = static_cast<Out>(vector_math::squared_norm(row.values, row.count));
  }
}

/// Calls visit(x, y) with the two values of every column in which one of the two sparse rows has an entry.
template <class T, class Visit>
void for_each_pair(const SparseRows<T>& A, Index i, const SparseRows<T>& B, Index j, const Visit& visit) {
  Index a = A.offsets[i], b = B.offsets[j];
  const Index a_end = A.offsets[i + 1], b_end = B.offsets[j + 1];
  while (a < a_end || b < b_end) {
    if (b == b_end || (a < a_end && A.columns[a] < B.columns[b]))
      visit(A.values[a++], T{0});
    else if (a == a_end || B.columns[b] < A.columns[a])
      visit(T{0}, B.values[b++]);
    else
      visit(A.values[a++], B.values[b++]);
  }
}

/// Returns |A.row(i) - B.row(j)|^2 from the differences.
template <class T>
T squared_distance(const DenseRows<T>& A, Index i, const DenseRows<T>& B, Index j) {
  return vector_math::squared_distance(A.row(i), B.row(j), A.cols);
}
template <class T>
T squared_distance(const SparseRows<T>& A, Index i, const SparseRows<T>& B, Index j) {
  T sum = 0;
  for_each_pair(A, i, B, j, [&](T x, T y) { sum += (x - y) * (x - y); });
  return sum;
}

}  // namespace dualkpca
