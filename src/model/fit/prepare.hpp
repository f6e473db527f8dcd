#pragma once

#include "dualkpca/model/kernel_pca_params.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// What a fit begins with: everything checked (throws InvalidArgument, DataError), the memory plan within its budget
/// (else throws ResourceError).
[[nodiscard]] MemoryPlan checked_plan(const KernelPCAParams& params, const SamplesView& X);

/// Rows as the kernel sees them, scaled, shifted and in the precision of the plan, and the width of the kernel.
void prepare_rows(FittedModel& model, const KernelPCAParams& params, const SamplesView& X, int threads);

}  // namespace dualkpca
