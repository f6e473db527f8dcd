#pragma once

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

}  // namespace dualkpca
