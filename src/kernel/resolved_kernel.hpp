#pragma once

#include <algorithm>
#include <cmath>
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

/// Returns the power p for which gamma and |x|^p appear as a product only; 0 for kernels without gamma. If all rows are
/// multiplied by u, the kernel with gamma / u^p does not change.
[[nodiscard]] inline int gamma_power(KernelName kernel) {
  if (!uses_gamma(kernel)) return 0;
  return kernel == KernelName::rbf || uses_coef0(kernel) ? 2 : 1;
}

/// Returns true if the kernel, with another gamma where it has one, gives the same values for rows in any unit.
[[nodiscard]] inline bool may_have_unit(KernelName kernel) {
  return uses_gamma(kernel) || kernel == KernelName::cosine;
}

/// Returns the kernel that has the same values as the given one after all rows are multiplied by `unit`.
[[nodiscard]] inline ResolvedKernel in_unit(ResolvedKernel kernel, double unit) {
  for (int i = 0; i < gamma_power(kernel.name); ++i) kernel.gamma /= unit;
  return kernel;
}

/// Returns the power of two nearest to `unit`, between it and 1, with which gamma stays far from the ends of the range
/// of the precision. Beyond this bound all values of the kernel are equal, or 0 between any two rows.
[[nodiscard]] inline double bounded_unit(const ResolvedKernel& kernel, double unit, Precision precision) {
  const int power = gamma_power(kernel.name), most = precision == Precision::float32 ? 100 : 900;
  if (power == 0) return unit;
  const int wanted = std::ilogb(unit), gamma = std::ilogb(kernel.gamma);
  const int exponent =
      wanted > 0 ? std::clamp((gamma + most) / power, 0, wanted) : std::clamp((gamma - most) / power, wanted, 0);
  return std::ldexp(1.0, exponent);
}

[[nodiscard]] inline ResolvedKernel resolved(const KernelParams& params, const std::optional<double>& gamma) {
  return {params.name, gamma.value_or(0), params.degree, params.coef0};
}

/// Makes the kernel. Throws InvalidArgument as the function of the single numbers does.
[[nodiscard]] inline std::unique_ptr<const Kernel> make_kernel(const ResolvedKernel& kernel) {
  return make_kernel(kernel.name, kernel.gamma, kernel.degree, kernel.coef0);
}

}  // namespace dualkpca
