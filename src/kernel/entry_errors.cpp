#include "kernel/entry_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.hpp"
#include "kernel/rows.hpp"
#include "kernel/tiles.hpp"

namespace dualkpca {
namespace {

// Bound on t^2 |dk/d(t^2)| for every kernel of the distance t: a relative error of t^2, times this, is an error of k.
// The largest one is that of rbf, max y exp(-y).
constexpr double largest_relative_slope = 1 / std::numbers::e;
constexpr double function_roundings = 8;  // errors of exp, its argument and the product behind it, in roundings

// What the bounds need to know of the rows.
struct RowSizes {
  Vector length{};      // |x_i|
  Vector sum{};         // |x_i|_1
  double longest = 0;   // number of terms in an inner product
  bool direct = false;  // distances are sums of differences, so nothing cancels
};

template <class Rows>
void measure(const Rows& X, int threads, RowSizes& sizes) {
  sizes.length.resize(X.rows);
  sizes.sum.resize(X.rows);
  constexpr Index block = 256;
  parallel_blocks(X.rows, block, threads, [&](Index first, Index count, int) {
    for (Index i = first; i < first + count; ++i) {
      const auto row = entries_of(X, i);
      double sum = 0;
      for (Index k = 0; k < row.count; ++k) sum += std::abs(static_cast<double>(row.values[k]));
      sizes.length[i] = std::sqrt(vector_math::squared_norm(row.values, row.count));
      sizes.sum[i] = sum;
    }
  });
  for (Index i = 0; i < X.rows; ++i)
    sizes.longest = std::max(sizes.longest, static_cast<double>(entries_of(X, i).count));
}

template <class T>
RowSizes sizes_of(const SamplesView& rows, KernelName kernel, int threads) {
  RowSizes sizes;
  if (rows.is_sparse()) {
    measure(rows.sparse<T>(), threads, sizes);
  } else {
    measure(rows.dense<T>(), threads, sizes);
    sizes.direct = rows.cols() <= max_direct_columns || kernel == KernelName::laplacian;
  }
  return sizes;
}

// Largest slope of k in t^2. laplace has none at 0, but there distances are computed from differences: `threshold` is
// the share of |x|^2 + |y|^2 from which on they come from products.
double slope_in_square(const ResolvedKernel& kernel, double length, double threshold) {
  const double g = kernel.gamma;
  switch (kernel.name) {
    case KernelName::matern32: return 1.5 * g * g;
    case KernelName::matern52: return 5.0 / 6.0 * g * g;
    case KernelName::laplace: return length > 0 ? g / (2 * std::sqrt(threshold) * length) : 0;
    default: return g;
  }
}

// Kernels of x - y: the coordinates have been rounded, then the distance, then the function of it.
Vector distance_errors(const ResolvedKernel& kernel, const RowSizes& sizes, double u, double threshold) {
  const bool manhattan = kernel.name == KernelName::laplacian;
  const Vector& size = manhattan ? sizes.sum : sizes.length;
  const double slope = largest_slope(kernel), terms = std::sqrt(sizes.longest) + 4;
  Vector errors(size.size());
  for (Index i = 0; i < size.size(); ++i) {
    const double coordinates = std::min(1.0, 2 * slope * u * size[i]);
    // From norms and inner products, a distance has an absolute error; below the threshold it has a relative one again.
    const double absolute =
        manhattan ? kernel.gamma * size[i] : slope_in_square(kernel, size[i], threshold) * size[i] * size[i];
    const double products = terms * u * std::min(absolute, largest_relative_slope / threshold);
    errors[i] =
        coordinates + (sizes.direct ? 0.0 : products) + 0.5 * u * (function_roundings + largest_relative_slope * terms);
  }
  return errors;
}

// Kernels of x'y: every error is relative to the value at the lengths of the two rows.
EntryErrors product_errors(const ResolvedKernel& kernel, const RowSizes& sizes, double u) {
  const double terms = std::sqrt(sizes.longest) + 4;
  const Eigen::ArrayXd length = sizes.length.array();
  const auto n = static_cast<Index>(length.size());
  switch (kernel.name) {
    case KernelName::cosine: return {Vector::Constant(n, 0.5 * u * (terms + 4)), Vector::Zero(n)};
    case KernelName::sigmoid:
      return {Vector::Constant(n, 0.5 * u * (function_roundings + std::abs(kernel.coef0))),
              std::sqrt(u * terms * kernel.gamma) * length};
    case KernelName::poly: {
      const double p = kernel.degree;
      const Eigen::ArrayXd own = (kernel.gamma * length.square() + std::abs(kernel.coef0)).pow(p);
      return {Vector::Zero(n), (u * (p * (terms + 4) + 2) * own).sqrt()};
    }
    default: return {Vector::Zero(n), std::sqrt(u * terms) * length};
  }
}

}  // namespace

Vector EntryErrors::row_norms() const {
  const double n = static_cast<double>(sum.size());
  return (std::sqrt(n) * sum.array() + sum.norm() + product.norm() * product.array()).matrix();
}

double EntryErrors::spectral_norm() const {
  // The norm of s 1' + 1 s' is 1's + sqrt(n) |s|.
  return sum.sum() + std::sqrt(static_cast<double>(sum.size())) * sum.norm() + product.squaredNorm();
}

double largest_slope(const ResolvedKernel& kernel) {
  const double g = kernel.gamma;
  switch (kernel.name) {
    case KernelName::rbf: return std::exp(-0.5) * std::sqrt(2 * g);
    case KernelName::matern32: return std::sqrt(3.0) / std::numbers::e * g;
    case KernelName::matern52: return 0.63 * g;
    default: return g;  // laplace, laplacian
  }
}

EntryErrors entry_errors(const ResolvedKernel& kernel, const SamplesView& rows, int threads) {
  const bool narrow = rows.precision() == Precision::float32;
  const double u = 0.5 * epsilon_of(rows.precision());
  const RowSizes sizes =
      narrow ? sizes_of<float>(rows, kernel.name, threads) : sizes_of<double>(rows, kernel.name, threads);
  if (!is_shift_invariant(kernel.name)) return product_errors(kernel, sizes, u);
  const double threshold = narrow ? static_cast<double>(cancellation_threshold<float>) : cancellation_threshold<double>;
  Vector sum = distance_errors(kernel, sizes, u, threshold);
  return {std::move(sum), Vector::Zero(rows.rows())};
}

}  // namespace dualkpca
