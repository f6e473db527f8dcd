#pragma once

#include "solver/curvature_pairs.hpp"

namespace dualkpca {

/// A matrix and its product with G.
struct WithProduct {
  Matrix value{};
  Matrix product{};

  WithProduct& add(double a, const WithProduct& other) {
    value += a * other.value;
    product += a * other.product;
    return *this;
  }
  WithProduct& operator*=(double a) {
    value *= a;
    product *= a;
    return *this;
  }
};
[[nodiscard]] inline WithProduct operator-(const WithProduct& a, const WithProduct& b) {
  return {.value = a.value - b.value, .product = a.product - b.product};
}
[[nodiscard]] inline const Matrix& value_of(const WithProduct& point) { return point.value; }
inline void add_scaled(WithProduct& q, double a, const WithProduct& x) { q.add(a, x); }

/// The last pairs (step, change of residual) of a fixed-point iteration with their products, so the product of the
/// quasi-Newton direction costs nothing.
class ProductPairs : public CurvaturePairs<WithProduct> {
 public:
  explicit ProductPairs(std::size_t memory) : CurvaturePairs(memory, 1e-10) {}
  /// Returns (inverse Jacobian of the residual) * q, where q is the residual.
  [[nodiscard]] WithProduct direction(WithProduct q) const { return inverse_times(std::move(q)); }
};

}  // namespace dualkpca
