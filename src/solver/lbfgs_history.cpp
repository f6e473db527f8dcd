#include "solver/lbfgs_history.hpp"

#include <cmath>
#include <vector>

#include "core/tall_matrix.hpp"

namespace dualkpca {

void LbfgsHistory::push(Matrix step, Matrix change) {
  const double curvature = dot(step, change);
  if (!(curvature > 1e-12 * step.squaredNorm())) return;
  if (pairs_.size() == memory_) pairs_.pop_front();
  pairs_.push_back({std::move(step), std::move(change), 1 / curvature});
}

Matrix LbfgsHistory::direction(const Matrix& gradient) const {
  Matrix q = -gradient;
  if (pairs_.empty()) return q;  // the quadratic part of d has curvature 1: the first step needs no scaling
  std::vector<double> alpha(pairs_.size());
  for (std::size_t i = pairs_.size(); i-- > 0;) {
    alpha[i] = pairs_[i].rho * dot(pairs_[i].step, q);
    q -= alpha[i] * pairs_[i].change;
  }
  q *= 1 / (pairs_.back().rho * pairs_.back().change.squaredNorm());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const double beta = pairs_[i].rho * dot(pairs_[i].change, q);
    q += (alpha[i] - beta) * pairs_[i].step;
  }
  return q;
}

void LbfgsHistory::rotate(const Matrix& R) {
  for (Pair& pair : pairs_) {
    pair.step = times(pair.step, R);
    pair.change = times(pair.change, R);
    // Columns that R drops take their share of the curvature with them.
    pair.rho = 1 / dot(pair.step, pair.change);
  }
  std::erase_if(pairs_, [](const Pair& pair) { return !(pair.rho > 0 && std::isfinite(pair.rho)); });
}

}  // namespace dualkpca
