#include "model/monitor/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

constexpr Index all_folds_up_to = 10000, enough_statistics = 2000;

KernelPCAParams params_of_folds(const KernelPCAParams& params, const FittedModel& model) {
  KernelPCAParams fold = params;
  fold.monitor = {};
  fold.lags = 0;  // the rows are lagged already
  fold.n_components = model.n_components();
  if (uses_gamma(model.kernel.name)) fold.kernel.gamma = model.user_gamma();
  fold.loss = {.name = model.loss.name, .norm = model.loss.norm};
  if (model.loss.name == LossName::huber) fold.loss.kappa = model.loss.parameter;
  if (model.loss.name == LossName::epsilon_insensitive) fold.loss.epsilon = model.loss.parameter;
  fold.solver.accuracy = Accuracy::estimated;
  fold.precision = model.report.plan.precision;
  return fold;
}

// Splits the rows into folds: those held out and those learnt from.
class Folds {
 public:
  Folds(Index n, Index folds, Index lags, std::uint64_t seed)
      : count_(std::min(n, folds)), lags_(lags), order_(static_cast<std::size_t>(n)) {
    std::iota(order_.begin(), order_.end(), Index{0});
    std::mt19937_64 engine(seed);
    if (lags == 0)
      std::shuffle(order_.begin(), order_.end(), engine);  // not with lags: neighbours in a series are alike
  }

  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] std::vector<Index> held_out(Index fold) const {
    return sorted({order_.begin() + begin(fold), order_.begin() + begin(fold + 1)});
  }
  // Rows to learn from, without those that share values with rows held out.
  [[nodiscard]] std::vector<Index> others(Index fold) const {
    std::vector<Index> rows(order_.begin(), order_.begin() + std::max<Index>(0, begin(fold) - lags_));
    const Index n = static_cast<Index>(order_.size());
    rows.insert(rows.end(), order_.begin() + std::min(n, begin(fold + 1) + lags_), order_.end());
    return sorted(std::move(rows));
  }

 private:
  [[nodiscard]] Index begin(Index fold) const { return static_cast<Index>(order_.size()) * fold / count_; }
  static std::vector<Index> sorted(std::vector<Index> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  Index count_, lags_;
  std::vector<Index> order_;
};

void append(Vector& values, const Vector& more) {
  const Index before = values.size();
  values.conservativeResize(before + more.size());
  values.tail(more.size()) = more;
}

}  // namespace

HeldOut held_out_statistics(const FittedModel& model, const KernelPCAParams& params, const SamplesView& samples,
                            const FitFold& fit_fold, const Timer& since_start) {
  HeldOut out;
  const Index n = samples.rows();
  KernelPCAParams fold = params_of_folds(params, model);
  const Folds folds(n, params.monitor.folds, params.lags, params.solver.seed);
  try {
    for (Index f = 0; f < folds.count(); ++f) {
      if (n > all_folds_up_to && out.statistics.t2.size() >= enough_statistics) break;
      const std::vector<Index> others = folds.others(f);
      if (static_cast<Index>(others.size()) < std::max<Index>(2, fold.n_components.count))
        return {.problem = fmt::format("{} rows are too few for {} components in each of {} folds", n,
                                       fold.n_components.count, folds.count())};
      if (params.solver.time_limit > 0) {
        fold.solver.time_limit = params.solver.time_limit - since_start.seconds();
        if (fold.solver.time_limit <= 0)
          return {.problem = "the time limit was reached before the cross-validation ended"};
      }
      HeldOut found = fit_fold(fold, others, folds.held_out(f));
      if (!found.problem.empty()) return found;
      append(out.statistics.t2, found.statistics.t2);
      append(out.statistics.spe, found.statistics.spe);
    }
  } catch (const Interrupted&) {
    return {.problem = "the cross-validation was stopped", .is_stopped = true};
  } catch (const Error& error) {
    return {.problem = fmt::format("a fold failed: {}", error.what())};  // its row numbers are those of the fold
  }
  return out;
}

}  // namespace dualkpca
