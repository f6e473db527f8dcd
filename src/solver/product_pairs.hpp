#pragma once

#include <deque>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// A matrix and its product with G.
struct WithProduct {
  Matrix value{};
  Matrix image{};

  WithProduct& operator+=(const WithProduct& other) { return add(1, other); }
  WithProduct& add(double a, const WithProduct& other) {
    value += a * other.value;
    image += a * other.image;
    return *this;
  }
};
[[nodiscard]] inline WithProduct operator-(const WithProduct& a, const WithProduct& b) {
  return {.value = a.value - b.value, .image = a.image - b.image};
}

/// The last pairs (step, change of residual) of a fixed-point iteration with their images: the quasi-Newton direction
/// comes with its product, which then costs nothing.
class ProductPairs {
 public:
  explicit ProductPairs(std::size_t memory) : memory_(memory) {}
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }
  /// Pairs without positive curvature are left out.
  void push(WithProduct step, WithProduct change);
  /// (inverse Jacobian of the residual) * q, q being the residual, by the two-loop recursion (Nocedal and Wright,
  /// algorithm 7.4).
  [[nodiscard]] WithProduct direction(WithProduct q) const;

 private:
  struct Pair {
    WithProduct step, change;
    double rho;  // 1 / <step, change>
  };
  std::deque<Pair> pairs_;
  std::size_t memory_;
};

}  // namespace dualkpca
