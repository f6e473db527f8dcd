#pragma once

#include "dualkpca/data/samples.hpp"
#include "dualkpca/gram/plan.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// float32 if tol >= 1e-5 unless given.
[[nodiscard]] Precision resolve_precision(const KernelPCAParams& params);

/// True if the fit may end with landmarks, so that G need not fit the memory.
[[nodiscard]] bool landmarks_can_do(const KernelPCAParams& params);

/// plan_fit() for samples that already have their lags.
[[nodiscard]] MemoryPlan plan_samples(const KernelPCAParams& params, const SamplesView& samples);

/// The same; throws ResourceError if the plan exceeds its budget.
[[nodiscard]] MemoryPlan checked_plan(const KernelPCAParams& params, const SamplesView& samples);

/// Derives from the kernel and the plan what solvers may assume about G.
[[nodiscard]] GramFacts gram_facts(const KernelPCAParams& params, const MemoryPlan& plan);

}  // namespace dualkpca
