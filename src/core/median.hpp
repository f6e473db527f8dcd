#pragma once

#include <algorithm>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// The upper one of two in the middle; of at least one value.
[[nodiscard]] inline double median(Vector values) {
  const Index middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  return values[middle];
}

}  // namespace dualkpca
