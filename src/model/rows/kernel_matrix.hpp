#pragma once

#include "dualkpca/data/samples.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// k(a, b) for all rows of A (p x d) and B (q x d), which are float64 and either both dense in row-major order or both
/// sparse. The kernel is not precomputed.
[[nodiscard]] Matrix kernel_matrix(const ResolvedKernel& kernel, const SamplesView& A, const SamplesView& B,
                                   int threads);
[[nodiscard]] inline Matrix kernel_matrix(const ResolvedKernel& kernel, const Matrix& A, const Matrix& B, int threads) {
  return kernel_matrix(kernel, SamplesView(A), SamplesView(B), threads);
}

}  // namespace dualkpca
