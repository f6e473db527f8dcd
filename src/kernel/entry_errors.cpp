#include "kernel/entry_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.hpp"
#include "kernel/rows.hpp"
#include "kernel/tiles.hpp"

namespace dualkpca {
namespace {

// Bound on t |dk/dt| for every kernel of the distance t, which turns a relative error of t into an error of k. The
// largest one is that of rbf, max 2 y exp(-y).
constexpr double largest_relative_slope = 2 / std::numbers::e;
// Bound on t |dk/dt| / k where k is above 1e-20: that of rbf, 2 y with y = 46.
constexpr double largest_share_of_slope = 92;
constexpr double function_roundings = 2;  // typical error of exp and its argument, in roundings

// Typical error of a sum of `terms` products, as a share of the sum of their sizes times u. The roundings of the
// partial sums are independent, at most u, and about 0.4 u each; the partial sums grow evenly at worst.
double sum_roundings(double terms) { return 1 + 0.25 * std::sqrt(terms); }

// Facts about the rows that the bounds need.
struct RowSizes {
  Vector length{};      // |x_i|, or |x_i|_1 for laplacian
  double longest = 0;   // number of terms in an inner product
  bool direct = false;  // distances are sums of differences, so nothing cancels
};

template <class Rows>
void measure(const Rows& X, bool manhattan, int threads, RowSizes& sizes) {
  sizes.length.resize(X.rows);
  constexpr Index block = 256;
  parallel_blocks(X.rows, block, threads, [&](Index first, Index count, int) {
    for (Index i = first; i < first + count; ++i) {
      const auto row = entries_of(X, i);
      if (!manhattan) {
        sizes.length[i] = std::sqrt(vector_math::squared_norm(row.values, row.count));
        continue;
      }
      double sum = 0;
      for (Index k = 0; k < row.count; ++k) sum += std::abs(static_cast<double>(row.values[k]));
      sizes.length[i] = sum;
    }
  });
  for (Index i = 0; i < X.rows; ++i)
    sizes.longest = std::max(sizes.longest, static_cast<double>(entries_of(X, i).count));
}

template <class T>
RowSizes sizes_of(const SamplesView& rows, KernelName kernel, int threads) {
  RowSizes sizes;
  if (rows.is_sparse()) {
    measure(rows.sparse<T>(), kernel == KernelName::laplacian, threads, sizes);
  } else {
    measure(rows.dense<T>(), kernel == KernelName::laplacian, threads, sizes);
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
    case KernelName::laplace: return length > 0 ? g / (2 * std::sqrt(2 * threshold) * length) : 0;
    default: return g;
  }
}

// Largest |dk/dt| / k where k is above 1e-20; for rbf at a distance of sqrt(46 / gamma).
double share_of_slope(const ResolvedKernel& kernel) {
  switch (kernel.name) {
    case KernelName::rbf: return 2 * std::sqrt(46 * kernel.gamma);
    case KernelName::matern32: return std::sqrt(3.0) * kernel.gamma;
    case KernelName::matern52: return std::sqrt(5.0) * kernel.gamma;
    default: return kernel.gamma;  // laplace, laplacian
  }
}

// Kernels of x - y. The other row of a value that is not zero is about as far from the origin: |y| <= |x| + t, and
// where t is large, k is flat.
EntryErrors distance_errors(const ResolvedKernel& kernel, const RowSizes& sizes, double u, double threshold) {
  const bool manhattan = kernel.name == KernelName::laplacian;
  const Vector& size = sizes.length;
  const double slope = largest_slope(kernel), roundings = sum_roundings(sizes.longest);
  const Index n = size.size();
  EntryErrors errors{.shared = Vector(n),
                     .single = Vector(n),
                     .shared_share = Vector(n),
                     .single_share = Vector(n),
                     .size = Vector::Ones(n)};
  for (Index i = 0; i < n; ++i) {
    errors.shared[i] = std::min(1.0, u * (2 * slope * size[i] + largest_relative_slope));
    // From norms and inner products, a distance has an absolute error; below the threshold it has a relative one.
    const double absolute =
        manhattan ? 2 * kernel.gamma * size[i] : 2 * slope_in_square(kernel, size[i], threshold) * size[i] * size[i];
    const double products = std::min(absolute + largest_relative_slope, largest_relative_slope / threshold);
    errors.single[i] = u * (function_roundings + roundings * (sizes.direct ? largest_relative_slope : products));
    const double share = largest_share_of_slope;
    const double products_share = std::min(absolute + share, share / threshold);
    errors.shared_share[i] = u * (2 * share_of_slope(kernel) * size[i] + share);
    errors.single_share[i] = u * (function_roundings + share + roundings * (sizes.direct ? share : products_share));
  }
  return errors;
}

// Kernels of x'y: every error is relative to the value at the lengths of the two rows.
EntryErrors product_errors(const ResolvedKernel& kernel, const RowSizes& sizes, double u) {
  const double roundings = sum_roundings(sizes.longest);
  const Eigen::ArrayXd length = sizes.length.array();
  const auto n = static_cast<Index>(length.size());
  const auto relative = [&](const Eigen::ArrayXd& size, double shared, double single) {
    return EntryErrors{.shared = std::sqrt(u * shared) * size,
                       .single = std::sqrt(u * single) * size,
                       .size = size,
                       .is_product = true};
  };
  switch (kernel.name) {
    case KernelName::cosine: return relative(Eigen::ArrayXd::Ones(n), 2, roundings + 2);
    case KernelName::sigmoid: {
      // The slope of tanh is at most 1, and so is its value.
      EntryErrors errors = relative((1 + kernel.gamma * length.square()).sqrt(), 2, roundings + function_roundings);
      errors.size.setOnes();
      return errors;
    }
    case KernelName::poly: {
      const double p = kernel.degree;
      return relative((kernel.gamma * length.square() + std::abs(kernel.coef0)).pow(0.5 * p), 2 * p,
                      p * (roundings + 1) + 1);
    }
    default: return relative(length, 2, roundings);
  }
}

}  // namespace

Vector EntryErrors::shared_rows() const {
  if (is_product) return shared.norm() * shared;
  return (std::sqrt(static_cast<double>(shared.size())) * shared).cwiseMin(shared.norm());
}

double EntryErrors::shared_norm() const {
  return is_product ? shared.squaredNorm() : shared.sum();  // min(a, b) <= sqrt(a b)
}

Vector EntryErrors::single_rows() const { return is_product ? Vector(single.maxCoeff() * single) : single; }

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
  return distance_errors(kernel, sizes, u, threshold);
}

}  // namespace dualkpca
