#pragma once

#include <algorithm>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Returns the median of at least one value; for an even number of values, the upper one of the two in the middle.
[[nodiscard]] inline double median(Vector values) {
  const Index middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  return values[middle];
}

}  // namespace dualkpca
