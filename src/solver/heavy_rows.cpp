#include "solver/heavy_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dualkpca {

bool HeavyRows::are_needed(const GramOperator& gram, double theta_s) {
  return theta_s <= 2 * gram.uncentered().diagonal().mean();
}

HeavyRows::HeavyRows(const GramOperator& gram) : sums_(gram.offdiagonal_sums()) {
  if (sums_.size() == 0) return;
  sums_ += gram.uncentered().diagonal().cwiseAbs();
  order_.resize(static_cast<std::size_t>(sums_.size()));
  std::iota(order_.begin(), order_.end(), Index{0});
  std::sort(order_.begin(), order_.end(),
            [&](Index a, Index b) { return sums_[a] != sums_[b] ? sums_[a] > sums_[b] : a < b; });
}

std::vector<Index> HeavyRows::next(double value, Index most) {
  std::vector<Index> rows;
  while (returned_ < order_.size() && static_cast<Index>(rows.size()) < most && sums_[order_[returned_]] > value)
    rows.push_back(order_[returned_++]);
  return rows;
}

Index HeavyRows::count_above(double value) const { return (sums_.array() > value).count(); }

double HeavyRows::largest_sum(Index s) const {
  if (order_.empty()) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t i = 0; i < std::min(order_.size(), static_cast<std::size_t>(s)); ++i) sum += sums_[order_[i]];
  return sum;
}

Matrix unit_columns(Index n, const std::vector<Index>& indices) {
  Matrix E = Matrix::Zero(n, static_cast<Index>(indices.size()));
  for (std::size_t c = 0; c < indices.size(); ++c) E(indices[c], static_cast<Index>(c)) = 1;
  return E;
}

}  // namespace dualkpca
