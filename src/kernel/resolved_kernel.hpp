#pragma once

#include <memory>
#include <optional>

#include "dualkpca/kernel/kernel_params.hpp"

namespace dualkpca {

/// Kernel with a known width: the KernelParams as they were resolved for some rows.
struct ResolvedKernel {
  KernelName name = KernelName::rbf;
  double gamma = 1;  ///< 0 if the kernel has none
  int degree = 1;
  double coef0 = 0;

  [[nodiscard]] bool is_precomputed() const { return name == KernelName::precomputed; }
};

[[nodiscard]] inline ResolvedKernel rbf_kernel(double gamma) { return {KernelName::rbf, gamma, 1, 0}; }

/// Returns true if the Gram matrix does not change when all rows move by one vector. This holds for kernels of x - y
/// and, with centring, for the linear kernel.
[[nodiscard]] inline bool may_move(KernelName kernel, bool centered) {
  return is_shift_invariant(kernel) || (kernel == KernelName::linear && centered);
}

[[nodiscard]] inline ResolvedKernel resolved(const KernelParams& params, const std::optional<double>& gamma) {
  return {params.name, gamma.value_or(0), params.degree, params.coef0};
}

/// Makes the kernel. Throws InvalidArgument as the function of the single numbers does.
[[nodiscard]] inline std::unique_ptr<const Kernel> make_kernel(const ResolvedKernel& kernel) {
  return make_kernel(kernel.name, kernel.gamma, kernel.degree, kernel.coef0);
}

}  // namespace dualkpca
