#pragma once

#include "dualkpca/data/samples.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// Rounding errors of kernel values (docs/math.md, "Rounding"), compared with the values for the rows before they were
/// rounded. An error has two parts. The first one comes from rounding the coordinates: all values of a row share it, so
/// it is bounded. The second one comes from evaluating the single value. These errors are taken for independent of each
/// other, with mean zero (Higham and Mary 2019), and `single` is their typical size.
struct EntryErrors {
  /// Kernels of x - y: the parts of the error of k_ij are at most min(shared_i, shared_j) and min(single_i, single_j).
  /// Kernels of x'y: shared_i shared_j and single_i single_j.
  Vector shared{};
  Vector single{};
  /// Kernels of x - y: the same errors as shares of |k_ij| for i != j, for values above 1e-20. Empty for kernels of
  /// x'y.
  Vector shared_share{};
  Vector single_share{};
  Vector size{};            ///< |k_ij| <= size_i size_j
  bool is_product = false;  ///< the kernel is one of x'y

  /// Returns bounds on the lengths of the rows of the matrix of shared errors.
  [[nodiscard]] Vector shared_rows() const;
  /// Returns a bound on the spectral norm of that matrix.
  [[nodiscard]] double shared_norm() const;
  /// Returns for each row i the typical size of sum over j of (single error of k_ij) v_j for a unit vector v.
  [[nodiscard]] Vector single_rows() const;
};

/// Returns the errors of k evaluated on these rows, in their precision. The kernel must have a formula.
[[nodiscard]] EntryErrors entry_errors(const ResolvedKernel& kernel, const SamplesView& rows, int threads);

/// Returns the largest change of a kernel value when a row moves by 1, for kernels of x - y; for laplacian in the norm
/// |.|_1.
[[nodiscard]] double largest_slope(const ResolvedKernel& kernel);

}  // namespace dualkpca
