#pragma once

#include "dualkpca/data/samples.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// Returns k(a, b) for all rows a of A (p x d) and b of B (q x d), p x q. Both are float64, and either both dense in
/// row-major order or both sparse. The kernel must not be precomputed.
[[nodiscard]] Matrix kernel_matrix(const ResolvedKernel& kernel, const SamplesView& A, const SamplesView& B,
                                   int threads);
[[nodiscard]] inline Matrix kernel_matrix(const ResolvedKernel& kernel, const Matrix& A, const Matrix& B, int threads) {
  return kernel_matrix(kernel, SamplesView(A), SamplesView(B), threads);
}

}  // namespace dualkpca
