#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/types.hpp"

namespace dualkpca {

// CurvaturePairs needs two functions of a point: the matrix for inner products, and q += a x.
[[nodiscard]] inline const Matrix& value_of(const Matrix& point) { return point; }
inline void add_scaled(Matrix& q, double a, const Matrix& x) { q += a * x; }

/// The last pairs (step, change of gradient) of an iteration, and the quasi-Newton matrix that they define. `Point` is
/// a matrix, or a matrix together with a linear image of it.
template <class Point>
class CurvaturePairs {
 public:
  /// Keeps `memory` pairs; those with <step, change> <= least_curvature |step|^2 are left out.
  CurvaturePairs(std::size_t memory, double least_curvature) : memory_(memory), least_curvature_(least_curvature) {}
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }

  void push(Point step, Point change) {
    const double curvature = dot(value_of(step), value_of(change));
    if (!(curvature > least_curvature_ * value_of(step).squaredNorm())) return;
    if (pairs_.size() == memory_) pairs_.pop_front();
    pairs_.push_back({std::move(step), std::move(change), 1 / curvature});
  }

  /// Returns (inverse Hessian) * q by the two-loop recursion (Nocedal and Wright, algorithm 7.4); q itself without
  /// pairs.
  [[nodiscard]] Point inverse_times(Point q) const {
    if (pairs_.empty()) return q;
    std::vector<double> alpha(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = pairs_[i].rho * dot(value_of(pairs_[i].step), value_of(q));
      add_scaled(q, -alpha[i], pairs_[i].change);
    }
    q *= 1 / (pairs_.back().rho * value_of(pairs_.back().change).squaredNorm());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double beta = pairs_[i].rho * dot(value_of(pairs_[i].change), value_of(q));
      add_scaled(q, alpha[i] - beta, pairs_[i].step);
    }
    return q;
  }

 protected:
  struct Pair {
    Point step, change;
    double rho;  // 1 / <step, change>
  };
  std::deque<Pair> pairs_{};

 private:
  std::size_t memory_;
  double least_curvature_;
};

}  // namespace dualkpca
