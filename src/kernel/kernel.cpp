#include "dualkpca/kernel/kernel.hpp"

#include "core/names.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<KernelName, 10> kernel_names = {{{KernelName::rbf, "rbf"},
                                                     {KernelName::laplace, "laplace"},
                                                     {KernelName::laplacian, "laplacian"},
                                                     {KernelName::poly, "poly"},
                                                     {KernelName::linear, "linear"},
                                                     {KernelName::sigmoid, "sigmoid"},
                                                     {KernelName::cosine, "cosine"},
                                                     {KernelName::matern32, "matern32"},
                                                     {KernelName::matern52, "matern52"},
                                                     {KernelName::precomputed, "precomputed"}}};

}  // namespace

std::string_view to_string(KernelName name) { return name_of(kernel_names, name); }
KernelName parse_kernel(std::string_view name) { return parse_name(kernel_names, "kernel", name); }

bool is_shift_invariant(KernelName name) {
  switch (name) {
    case KernelName::rbf:
    case KernelName::laplace:
    case KernelName::laplacian:
    case KernelName::matern32:
    case KernelName::matern52: return true;
    default: return false;
  }
}

bool uses_coef0(KernelName name) { return name == KernelName::poly || name == KernelName::sigmoid; }
bool uses_gamma(KernelName name) { return is_shift_invariant(name) || uses_coef0(name); }

}  // namespace dualkpca
