#pragma once

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Joins each row of a time series with the `lags` rows before it, the oldest first. Row t of the result is made of the
/// rows t to t + lags of X, so n rows of d columns become n - lags rows of d (lags + 1) columns. X is copied once only,
/// because the rows of the result overlap in memory. With 0 lags nothing is copied, and X must outlive the result.
/// Throws InvalidArgument if X is sparse, and DataError if it has `lags` rows or fewer.
[[nodiscard]] Samples lag_rows(const SamplesView& X, Index lags);

}  // namespace dualkpca
