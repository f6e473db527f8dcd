#pragma once

#include "dualkpca/kernel/kernel.hpp"
#include "kernel/radial_math.hpp"

namespace dualkpca {

// What kernels are functions of, for all pairs of a row of A and a row of B. Defined for float and double, dense and
// sparse rows. Of sparse rows every tile costs rows(B) * entries(A) / lanes or so, whatever the number of columns.

/// A distance comes from norms and inner products (or from sums over common columns) first. Below this share of
/// |x|^2 + |y|^2 (or |x|_1 + |y|_1) it has lost too many digits, because its relative error is about epsilon over this
/// share; it is then computed again from the differences.
template <class T>
constexpr T cancellation_threshold = precision_of<T> == Precision::float32 ? T{1} / 256 : static_cast<T>(1e-6);

/// out(i, j) = A.row(i)'B.row(j)
template <class T>
void inner_product_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out);
template <class T>
void inner_product_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out);

/// out(i, j) = |A.row(i) - B.row(j)|^2, accurate also where the rows nearly coincide.
template <class T>
void squared_distance_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out);
template <class T>
void squared_distance_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out);

/// out(i, j) = f(|A.row(i) - B.row(j)|^2) for a function of radial_math.hpp, in fewer passes over `out`.
template <class T>
void radial_tile(const DenseRows<T>& A, const DenseRows<T>& B, vector_math::Radial kind, T factor,
                 const TileRef<T>& out);
template <class T>
void radial_tile(const SparseRows<T>& A, const SparseRows<T>& B, vector_math::Radial kind, T factor,
                 const TileRef<T>& out);

/// out(i, j) = |A.row(i) - B.row(j)|_1, likewise.
template <class T>
void manhattan_distance_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out);
template <class T>
void manhattan_distance_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out);

}  // namespace dualkpca
