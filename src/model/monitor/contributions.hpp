#pragma once

#include "dualkpca/model/monitor.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// What each column adds to T2 and SPE of the rows of X, lagged already; lags of a column are added up. Throws
/// InvalidArgument for kernels without a gradient, and if the stored rows are sparse.
[[nodiscard]] Contributions row_contributions(const FittedModel& model, const KernelPCAParams& params,
                                              const SamplesView& X, int threads);

}  // namespace dualkpca
