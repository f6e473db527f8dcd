#pragma once

#include "dualkpca/data/samples.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// Bound on the rounding errors of kernel values: |fl(k_ij) - k_ij| <= sum_i + sum_j + product_i product_j, where k_ij
/// is the value for the rows before they were rounded (docs/math.md, "Rounding").
struct EntryErrors {
  Vector sum{};
  Vector product{};

  /// Returns bounds on the lengths of the rows of the error matrix.
  [[nodiscard]] Vector row_norms() const;
  /// Returns a bound on the spectral norm of the error matrix.
  [[nodiscard]] double spectral_norm() const;
};

/// Bounds the errors of k evaluated on these rows, in their precision. The kernel must have a formula. Sums of d terms
/// count sqrt(d) rounding errors and not d: their signs are taken for independent (Higham and Mary 2019).
[[nodiscard]] EntryErrors entry_errors(const ResolvedKernel& kernel, const SamplesView& rows, int threads);

/// Returns the largest change of a kernel value when a row moves by 1, for kernels of x - y; for laplacian in the norm
/// |.|_1.
[[nodiscard]] double largest_slope(const ResolvedKernel& kernel);

}  // namespace dualkpca
