#pragma once

#include "solver/curvature_pairs.hpp"

namespace dualkpca {

/// The last pairs (step, change of gradient) of a minimisation, and the quasi-Newton direction that they give.
class LbfgsHistory : public CurvaturePairs<Matrix> {
 public:
  explicit LbfgsHistory(std::size_t memory) : CurvaturePairs(memory, 1e-12) {}
  /// Returns -(inverse Hessian) * gradient. Without pairs it is -gradient, and the first step needs no scaling, because
  /// the quadratic part of d has curvature 1.
  [[nodiscard]] Matrix direction(const Matrix& gradient) const { return inverse_times(-gradient); }
  /// Rewrites all pairs for H <- H R.
  void rotate(const Matrix& R);
};

}  // namespace dualkpca
