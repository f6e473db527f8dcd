#include "solver/product_pairs.hpp"

#include <vector>

#include "core/tall_matrix.hpp"

namespace dualkpca {

void ProductPairs::push(WithProduct step, WithProduct change) {
  const double curvature = dot(step.value, change.value);
  if (!(curvature > 1e-10 * step.value.squaredNorm())) return;
  if (pairs_.size() == memory_) pairs_.pop_front();
  pairs_.push_back({std::move(step), std::move(change), 1 / curvature});
}

WithProduct ProductPairs::direction(WithProduct q) const {
  if (pairs_.empty()) return q;
  std::vector<double> alpha(pairs_.size());
  for (std::size_t i = pairs_.size(); i-- > 0;) {
    alpha[i] = pairs_[i].rho * dot(pairs_[i].step.value, q.value);
    q.add(-alpha[i], pairs_[i].change);
  }
  const double scale = 1 / (pairs_.back().rho * pairs_.back().change.value.squaredNorm());
  q.value *= scale;
  q.image *= scale;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const double beta = pairs_[i].rho * dot(pairs_[i].change.value, q.value);
    q.add(alpha[i] - beta, pairs_[i].step);
  }
  return q;
}

}  // namespace dualkpca
