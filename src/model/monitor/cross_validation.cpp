#include "model/monitor/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {
namespace {

constexpr Index all_folds_up_to = 10000, enough_statistics = 2000;

KernelPCAParams params_of_folds(const KernelPCAParams& params, const FittedModel& model) {
  const FitReport& report = model.report;
  KernelPCAParams fold = params;
  fold.monitor = {};
  fold.lags = 0;  // the rows are lagged already
  fold.n_components = report.n_components;
  if (report.gamma) fold.kernel.gamma = *report.gamma;
  fold.loss = params.loss.with_number(report.kappa, report.epsilon);
  fold.solver.accuracy = Accuracy::estimated;
  if (params.memory > 0) fold.memory = params.memory - std::min(params.memory - 1, report.model_bytes);
  return fold;
}

Samples picked(const SamplesView& X, const std::vector<Index>& indices) {
  const TrainingRows rows = pick_training_rows(X, indices, {Scaler{}, Vector()});
  return {rows.memory, rows.is_sparse() ? SamplesView(rows.sparse<double>())
                                        : SamplesView(static_cast<const double*>(rows.data), rows.rows, rows.cols)};
}

// Which rows are held out and which are learnt from.
class Folds {
 public:
  Folds(Index n, Index folds, Index lags, std::uint64_t seed)
      : count_(std::min(n, folds)), lags_(lags), order_(static_cast<std::size_t>(n)) {
    std::iota(order_.begin(), order_.end(), Index{0});
    std::mt19937_64 engine(seed);
    if (lags == 0) std::shuffle(order_.begin(), order_.end(), engine);  // neighbours in a series would give each away
  }

  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] std::vector<Index> held_out(Index fold) const {
    return sorted({order_.begin() + begin(fold), order_.begin() + begin(fold + 1)});
  }
  // Without the rows that share values with those held out.
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

HeldOut held_out_statistics(const FittedModel& model, const KernelPCAParams& params, const SamplesView& X,
                            const Timer& since_start, const Observer& observe) {
  HeldOut out;
  const Index n = X.rows();
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
        if (fold.solver.time_limit <= 0) return {.problem = "the time limit was reached before them"};
      }
      const KernelPCA learnt = KernelPCA(fold).fit(picked(X, others).view(), observe);
      if (learnt.report().status == Status::stopped)
        return {.problem = "they were stopped", .is_stopped = learnt.report().message == stopped_on_request};
      const RowStatistics found = learnt.monitor(picked(X, folds.held_out(f)).view(), params.threads);
      append(out.statistics.t2, found.t2);
      append(out.statistics.spe, found.spe);
    }
  } catch (const Interrupted&) {
    return {.problem = "they were stopped", .is_stopped = true};
  } catch (const Error& error) {
    return {.problem = error.what()};
  }
  return out;
}

}  // namespace dualkpca
