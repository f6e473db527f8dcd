#pragma once

#include <string>

#include "dualkpca/gram/plan.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// Prepares the rows (prepare_rows) in the precision of the plan. If the precision is not given, float32 is planned and
/// it would round kernel values too much for `tol`, the rows are prepared in float64 instead and the plan is changed,
/// as long as the new plan fits the memory. Returns a note about this, or about rounding that cannot be avoided; empty
/// for ordinary rows. Cost beside prepare_rows(): a pass over the rows.
[[nodiscard]] std::string prepare_in_precision(FittedModel& model, const KernelPCAParams& params,
                                               const SamplesView& samples, Index features, MemoryPlan& plan,
                                               int threads);

}  // namespace dualkpca
