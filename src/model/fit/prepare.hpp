#pragma once

#include <string>

#include "dualkpca/gram/plan.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// Checks the parameters and X, and returns the samples that a fit learns from, with their lags. Throws InvalidArgument
/// and DataError.
[[nodiscard]] Samples checked_training_samples(const KernelPCAParams& params, const SamplesView& X);

/// Fills the parts of the model that are known before the Gram matrix: the preprocessing, the rows as the kernel sees
/// them, in the precision of the plan, and the kernel with its width. `features`: columns of the data without lags.
void prepare_rows(FittedModel& model, const KernelPCAParams& params, const SamplesView& samples, Index features,
                  Precision precision, int threads);

/// Prepares the rows (prepare_rows) in the precision of the plan. If the precision is not given, float32 is planned and
/// it would round kernel values too much for `tol`, the rows are prepared in float64 instead and the plan is changed,
/// as long as the new plan fits the memory. Returns a note about this, or about rounding that cannot be avoided; empty
/// for ordinary rows. Cost beside prepare_rows(): a pass over the rows.
[[nodiscard]] std::string prepare_in_precision(FittedModel& model, const KernelPCAParams& params,
                                               const SamplesView& samples, Index features, MemoryPlan& plan,
                                               int threads);

}  // namespace dualkpca
