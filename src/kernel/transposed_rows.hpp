#pragma once

#include <vector>

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Returns the columns first..first+count-1 of B, one after the other: count x B.rows.
template <class T>
std::vector<T> transposed_rows(const DenseRows<T>& B, Index first, Index count) {
  std::vector<T> transposed(static_cast<std::size_t>(B.rows * count));
  for (Index j = 0; j < B.rows; ++j)
    for (Index k = 0; k < count; ++k) transposed[static_cast<std::size_t>(k * B.rows + j)] = B.row(j)[first + k];
  return transposed;
}

}  // namespace dualkpca
