#include "dualkpca/data/lagged.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"

namespace dualkpca {

Samples lag_rows(const SamplesView& X, Index lags) {
  if (lags == 0) return {nullptr, X};
  if (X.is_sparse()) throw InvalidArgument(fmt::format("lags is {}; sparse rows cannot be lagged", lags));
  const Index n = X.rows(), d = X.cols();
  if (n <= lags) throw DataError(fmt::format("there are {} rows; with {} lags there must be more than that", n, lags));
  const auto memory = std::make_shared<Matrix>(n, d);
  for (Index i = 0; i < n; ++i) X.copy_row(i, memory->row(i).data());
  // Rows that follow each other in memory form one long row, so the rows of the view overlap.
  return {memory, SamplesView(memory->data(), Precision::float64, n - lags, d * (lags + 1), d, 1)};
}

}  // namespace dualkpca
