#pragma once

#include <deque>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// A matrix and its product with G.
struct Imaged {
  Matrix value{};
  Matrix image{};

  Imaged& operator+=(const Imaged& other) { return add(1, other); }
  Imaged& add(double a, const Imaged& other) {
    value += a * other.value;
    image += a * other.image;
    return *this;
  }
};
[[nodiscard]] inline Imaged operator-(const Imaged& a, const Imaged& b) {
  return {.value = a.value - b.value, .image = a.image - b.image};
}

/// The last pairs (step, change of residual) of a fixed-point iteration with their images: the quasi-Newton direction
/// comes with its product, which then costs nothing.
class ImagePairs {
 public:
  explicit ImagePairs(std::size_t memory) : memory_(memory) {}
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }
  /// Pairs without positive curvature are left out.
  void push(Imaged step, Imaged change);
  /// (inverse Jacobian of the residual) * q, q being the residual, by the two-loop recursion (Nocedal and Wright,
  /// algorithm 7.4).
  [[nodiscard]] Imaged direction(Imaged q) const;

 private:
  struct Pair {
    Imaged step, change;
    double rho;  // 1 / <step, change>
  };
  std::deque<Pair> pairs_;
  std::size_t memory_;
};

}  // namespace dualkpca
