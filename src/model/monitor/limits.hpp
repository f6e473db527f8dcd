#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/model/monitor.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// Order statistic number ceil((N + 1) level) of the N values, which a further value of their kind is below with at
/// least that probability; the largest if there are fewer.
[[nodiscard]] double upper_quantile(Vector values, double level);

/// Each kind of limits of a model as it is after fit(); X is what it was fitted to, lagged already.
[[nodiscard]] Limits quantile_limits(LimitKind kind, double level, const RowStatistics& statistics);
[[nodiscard]] Limits chi2_limits(double level, const FittedModel& model);
[[nodiscard]] Limits weighted_chi2_limits(double level, const FittedModel& model, const KernelPCAParams& params,
                                          const SamplesView& X);

/// Fills report.limits as params.monitor says, or a note why there are none.
void set_limits(FittedModel& model, const KernelPCAParams& params, const SamplesView& X, const Timer& since_start,
                const Observer& observe);

}  // namespace dualkpca
