#pragma once

#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// A kernel that depends on u alone, u = |x-y|^2 or u = x'y, with its derivative. The gradient grad_x k(x, y) is
/// slope(u) (y - x) for kernels of the distance, and slope(u) y for those of the inner product.
class KernelSlope {
 public:
  /// Throws InvalidArgument for kernels without such a derivative: laplacian, cosine, precomputed.
  KernelSlope(KernelName name, double gamma, int degree, double coef0);

  [[nodiscard]] bool is_of_distance() const { return is_of_distance_; }
  [[nodiscard]] double value(double u) const;
  /// Returns the slope. laplace has none at u = 0 and uses that of a distance of 1e-9 / gamma there.
  [[nodiscard]] double slope(double u) const;
  /// Computes value() and slope() of every entry of U.
  void evaluate(const Matrix& U, Matrix& values, Matrix& slopes) const;
  /// Returns u for every row of X (p x d) with every row of Y (q x d), p x q.
  [[nodiscard]] Matrix arguments(ConstMatrixRef X, ConstMatrixRef Y) const;

 private:
  KernelName name_;
  double gamma_, coef0_;
  int degree_;
  bool is_of_distance_;
};

}  // namespace dualkpca
