#pragma once

#include "dualkpca/data/samples.hpp"

namespace dualkpca::test {

/// Returns the entries of X that are not zero, as sparse rows.
template <class T = double>
[[nodiscard]] CsrRows<T> csr_of(const Matrix& X) {
  CsrRows<T> rows;
  rows.cols = X.cols();
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) {
      if (X(i, j) == 0) continue;
      rows.columns.push_back(static_cast<std::int32_t>(j));
      rows.values.push_back(static_cast<T>(X(i, j)));
    }
    rows.offsets.push_back(static_cast<Index>(rows.values.size()));
  }
  return rows;
}

}  // namespace dualkpca::test
