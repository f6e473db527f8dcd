#pragma once

#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// Kernels of |x - y|: rbf and laplace.
[[nodiscard]] std::unique_ptr<const Kernel> make_distance_kernel(KernelName name, double gamma);
/// Kernels of x'y: linear and poly.
[[nodiscard]] std::unique_ptr<const Kernel> make_product_kernel(KernelName name, double gamma, int degree,
                                                                double coef0);

/// out(i, j) = |A.row(i) - B.row(j)|^2, accurate also where the rows nearly coincide.
template <class T>
void squared_distance_tile(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out);

/// out[i] = |A.row(i)|^2, summed in float64.
template <class T, class Out>
void squared_norms(const DenseRows<T>& A, Out* out) {
  for (Index i = 0; i < A.rows; ++i) {
    double sum = 0;
    for (Index k = 0; k < A.cols; ++k) sum += static_cast<double>(A.row(i)[k]) * static_cast<double>(A.row(i)[k]);
    out[i] = static_cast<Out>(sum);
  }
}

}  // namespace dualkpca
