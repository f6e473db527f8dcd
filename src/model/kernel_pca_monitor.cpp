#include <fmt/format.h>

#include "core/names.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "dualkpca/model/monitor.hpp"
#include "model/monitor/contributions.hpp"
#include "model/monitor/statistics.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<LimitKind, 6> limit_names{{{LimitKind::automatic, "auto"},
                                               {LimitKind::cross_validated, "cv"},
                                               {LimitKind::training, "training"},
                                               {LimitKind::chi2, "chi2"},
                                               {LimitKind::weighted_chi2, "weighted_chi2"},
                                               {LimitKind::none, "none"}}};

void require_self_kernel(const FittedModel& model) {
  if (model.kernel.is_precomputed())
    throw InvalidArgument("SPE needs k(x, x), which a precomputed kernel does not contain");
}

}  // namespace

std::string_view to_string(LimitKind kind) { return name_of(limit_names, kind); }
LimitKind parse_limit_kind(std::string_view name) { return parse_name(limit_names, "limits", name); }

void MonitorParams::validate() const {
  if (!(level >= 0.5 && level < 1)) throw InvalidArgument(fmt::format("level is {}; it must be in [0.5, 1)", level));
  if (folds < 2) throw InvalidArgument(fmt::format("folds is {}; it must be at least 2", folds));
}

RowStatistics KernelPCA::monitor(const SamplesView& X, int threads) const {
  require_self_kernel(fitted());
  const Samples samples = checked_samples(fitted(), X);
  return row_statistics(fitted(), samples.view(), compute_threads(threads));
}

Contributions KernelPCA::contributions(const SamplesView& X, int threads) const {
  require_self_kernel(fitted());
  const Samples samples = checked_samples(fitted(), X);
  return row_contributions(fitted(), samples.view(), compute_threads(threads));
}

}  // namespace dualkpca
