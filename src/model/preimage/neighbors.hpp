#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Number of training rows that a pre-image starts from, as in Kwok and Tsang (2004).
constexpr Index preimage_neighbors = 10;

/// Indices of the `count` smallest values, the smallest first; among equal values the lower index comes first.
template <class Values>
[[nodiscard]] std::vector<Index> smallest(const Values& values, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto end = order.begin() + std::min<Index>(count, values.size());
  std::partial_sort(order.begin(), end, order.end(),
                    [&](Index a, Index b) { return values[a] == values[b] ? a < b : values[a] < values[b]; });
  order.erase(end, order.end());
  return order;
}

}  // namespace dualkpca
