#pragma once

#include "dualkpca/kernel/kernel.hpp"
#include "kernel/radial_math.hpp"

namespace dualkpca {

// Inner products and distances of all pairs of a row of A and a row of B, of which kernels are functions. They are
// defined for float and double, dense and sparse rows. A tile of sparse rows costs about rows(B) * entries(A) / lanes,
// whatever the number of columns.

/// Share of |x|^2 + |y|^2 (or |x|_1 + |y|_1) below which a distance has lost too many digits. A distance is first
/// computed from norms and inner products (or from sums over common columns), and its relative error is about epsilon
/// over this share. Below the share it is computed again from the differences.
template <class T>
constexpr T cancellation_threshold = precision_of<T> == Precision::float32 ? T{1} / 256 : static_cast<T>(1e-6);

/// Largest number of columns of dense rows for which squared distances are sums of differences. This is about as fast
/// as a GEMM of that inner dimension, and there is no cancellation to repair.
constexpr Index max_direct_columns = 32;

/// Computes out(i, j) = A.row(i)'B.row(j).
template <class T>
void inner_product_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out);
template <class T>
void inner_product_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out);

/// Computes out(i, j) = |A.row(i) - B.row(j)|^2, accurate also where the rows nearly coincide.
template <class T>
void squared_distance_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out);
template <class T>
void squared_distance_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out);

/// Computes out(i, j) = f(|A.row(i) - B.row(j)|^2) for a function of radial_math.hpp, in fewer passes over `out`.
template <class T>
void radial_tile(const DenseRows<T>& A, const DenseRows<T>& B, vector_math::Radial kind, T factor,
                 const TileRef<T>& out);
template <class T>
void radial_tile(const SparseRows<T>& A, const SparseRows<T>& B, vector_math::Radial kind, T factor,
                 const TileRef<T>& out);

/// Computes out(i, j) = |A.row(i) - B.row(j)|_1, accurate also where the rows nearly coincide.
template <class T>
void manhattan_distance_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out);
template <class T>
void manhattan_distance_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out);

}  // namespace dualkpca
