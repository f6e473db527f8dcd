#pragma once

#include <optional>

#include "kernel/slope.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {

/// Points in the span of the components as sums over the features of the stored rows: sum_i weights_i phi(x_i).
struct Expansion {
  const Matrix& coefficients;  ///< m x s
  const Vector& center;        ///< m

  /// Weights (p x m) of the points with scores T (p x s).
  [[nodiscard]] Matrix weights(ConstMatrixRef T) const;
};

/// Finds rows z (p x d, as the kernel sees them) whose features are near the points with scores T (p x s), by an
/// iteration. For kernels with k(z, z) = 1 the nearest features are where f(z) = sum_i w_i k(z, x_i) is largest, and
/// grad f = 0 reads z = sum_i w_i slope_i x_i / sum_i w_i slope_i (Mika et al. 1998; for laplace it is Weiszfeld's
/// iteration). Steps that would lower f are halved. There are several starts: the nearest stored row, the mean of the
/// ten nearest, and `near` (p x d) if given; the best f wins. The kernel must be a function of the distance.
[[nodiscard]] Matrix fixed_point(const StoredRows& rows, const Expansion& expansion, const KernelSlope& kernel,
                                 ConstMatrixRef T, const std::optional<Matrix>& near, int threads);

}  // namespace dualkpca
