#include <cmath>

#include "core/names.hpp"
#include "kernel/families.hpp"

namespace dualkpca {

std::unique_ptr<const Kernel> make_kernel(KernelName name, double gamma, int degree, double coef0) {
  if (uses_gamma(name) && !(gamma > 0 && std::isfinite(gamma)))
    throw InvalidArgument(fmt::format("gamma is {}; it must be positive and finite", gamma));
  if (name == KernelName::poly && degree < 1)
    throw InvalidArgument(fmt::format("degree is {}; it must be at least 1", degree));
  const ResolvedKernel formula{name, gamma, degree, coef0};
  switch (name) {
    case KernelName::rbf:
    case KernelName::laplace:
    case KernelName::matern32:
    case KernelName::matern52: return make_distance_kernel(formula);
    case KernelName::laplacian: return make_laplacian_kernel(formula);
    case KernelName::cosine: return make_cosine_kernel(formula);
    case KernelName::poly:
    case KernelName::linear:
    case KernelName::sigmoid: return make_product_kernel(formula);
    case KernelName::precomputed: break;
  }
  throw InvalidArgument("kernel precomputed has no formula to evaluate");
}

}  // namespace dualkpca
