#pragma once

#include <functional>

#include "model/monitor/cross_validation.hpp"

namespace dualkpca {

/// Order statistic number ceil((N + 1) level) of the N values: a further value of the same distribution is below it
/// with at least that probability. The largest value if N is too small.
[[nodiscard]] double upper_quantile(Vector values, double level);

/// Limits of each kind, for a model as it is after fit(). `samples` are its training data with their lags.
[[nodiscard]] Limits quantile_limits(LimitKind kind, double level, const RowStatistics& statistics);
[[nodiscard]] Limits chi2_limits(double level, const FittedModel& model);
[[nodiscard]] Limits weighted_chi2_limits(double level, const FittedModel& model, const SamplesView& samples,
                                          std::uint64_t seed, int threads);

/// Fills report.limits as params.monitor says, or adds a note why there are none. `held_out` gives the statistics of
/// rows that were left out of the fit, if the limits need them.
void set_limits(FittedModel& model, const KernelPCAParams& params, const SamplesView& samples,
                const std::function<HeldOut()>& held_out);

}  // namespace dualkpca
