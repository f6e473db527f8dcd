#pragma once

#include <deque>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// The last pairs (step, change of gradient) of a minimisation, and the quasi-Newton direction they give.
class LbfgsHistory {
 public:
  explicit LbfgsHistory(std::size_t memory) : memory_(memory) {}
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }
  /// Pairs without positive curvature are left out.
  void push(Matrix step, Matrix change);
  /// -(inverse Hessian) * gradient by the two-loop recursion (Nocedal and Wright, algorithm 7.4).
  [[nodiscard]] Matrix direction(const Matrix& gradient) const;
  /// Rewrites all pairs for H <- H R.
  void rotate(const Matrix& R);

 private:
  struct Pair {
    Matrix step, change;
    double rho;  // 1 / <step, change>
  };
  std::deque<Pair> pairs_;
  std::size_t memory_;
};

}  // namespace dualkpca
