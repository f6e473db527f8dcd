#pragma once

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Rows of a series with the `lags` rows before each: row t of the result is x_t, x_{t+1}, ..., x_{t + lags}, the
/// oldest first, so n rows of d columns become n - lags rows of d (lags + 1). Copies X once (not at all without lags)
/// and no row more often. Throws InvalidArgument if X is sparse, DataError if it has not more than `lags` rows.
[[nodiscard]] Samples lag_rows(const SamplesView& X, Index lags);

}  // namespace dualkpca
