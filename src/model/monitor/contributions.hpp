#pragma once

#include "dualkpca/model/monitor.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// Contribution of each column to T2 and SPE of samples, which already have their lags; lags of a column are added up.
/// Throws InvalidArgument for kernels without a gradient, and if the stored rows are sparse.
[[nodiscard]] Contributions row_contributions(const FittedModel& model, const SamplesView& samples, int threads);

}  // namespace dualkpca
