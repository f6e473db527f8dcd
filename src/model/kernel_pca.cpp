#include "dualkpca/model/kernel_pca.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "model/fit/build_model.hpp"
#include "model/fit/model_gram.hpp"
#include "model/fit/plan_fit.hpp"
#include "model/fit/prepare.hpp"
#include "model/fit/solve_dual.hpp"
#include "model/fit/stage_clock.hpp"
#include "model/monitor/limits.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

// Ids of the samples, without those of rows that only serve as lags of others; empty if there are no ids.
std::span<const std::string> ids_of_samples(std::span<const std::string> ids, Index rows, Index lags) {
  if (ids.empty()) return ids;
  if (static_cast<Index>(ids.size()) != rows)
    throw InvalidArgument(fmt::format("there are {} ids for {} rows; give one id for each row", ids.size(), rows));
  return ids.subspan(static_cast<std::size_t>(std::clamp<Index>(lags, 0, rows)));
}

// Fits one fold of a cross-validation. The model whose limits are sought takes `model_bytes` of the memory budget.
HeldOut fit_fold(KernelPCAParams params, const SamplesView& samples, const std::vector<Index>& learnt,
                 const std::vector<Index>& held_out, std::size_t model_bytes, const Observer& observe) {
  if (params.memory > 0) params.memory -= std::min(params.memory - 1, model_bytes);
  const KernelPCA fold = KernelPCA(params).fit(samples.pick(learnt).view(), observe);
  if (fold.report().status == Status::stopped)
    return {.problem = "the cross-validation was stopped",
            .is_stopped = fold.report().stop_reason == StopReason::requested};
  return {.statistics = fold.monitor(samples.pick(held_out).view(), params.threads)};
}

void find_limits(FittedModel& model, const KernelPCAParams& params, const SamplesView& samples,
                 const Timer& since_start, const Observer& observe) {
  const FitFold fold = [&](const KernelPCAParams& of_fold, const auto& learnt, const auto& held_out) {
    return fit_fold(of_fold, samples, learnt, held_out, model.report.model_bytes, observe);
  };
  set_limits(model, params, samples, [&] { return held_out_statistics(model, params, samples, fold, since_start); });
}

}  // namespace

KernelPCA::KernelPCA(KernelPCAParams params) : params_(params) {}
KernelPCA::KernelPCA(KernelPCAParams params, std::shared_ptr<const FittedModel> fitted)
    : params_(params), fitted_(std::move(fitted)) {}

KernelPCA& KernelPCA::fit(const SamplesView& X, const Observer& observe, std::span<const std::string> ids) {
  ids = ids_of_samples(ids, X.rows(), params_.lags);
  const Samples checked = checked_training_samples(params_, X);
  const SamplesView& samples = checked.view();
  auto model = std::make_shared<FittedModel>();
  FitReport& report = model->report;
  const int threads = compute_threads(params_.threads);
  report.plan = checked_plan(params_, samples);
  report.tol = params_.solver.tol;
  StageClock clock;

  // Rows as the kernel sees them, and the width of the kernel.
  const std::string rounding = prepare_in_precision(*model, params_, samples, X.cols(), report.plan, threads);
  const Precision precision = report.plan.precision;
  clock.end("prepare");

  // The Gram matrix, centred.
  ModelGram gram = make_model_gram(params_, *model, samples, model->rows, precision, threads, observe);
  clock.end("gram");
  const double assembled = gram.gram->counts().assembly_seconds;  // a given matrix is copied at once

  // The dual.
  SolverParams solver = params_.solver;
  solver.time_limit = clock.left_of(solver.time_limit);
  SolveResult solution = solve_dual(*gram.gram, params_, solver, gram_facts(params_, report.plan), observe);
  clock.move_back(gram.gram->counts().assembly_seconds - assembled);  // evaluated by the first product
  clock.end("solve");

  // Ordered components, and the numbers that projecting new rows needs.
  build_model(*model, params_, std::move(solution), gram, samples, ids);
  if (!rounding.empty()) report.notes.push_back(rounding);
  clock.end("finish");

  // Limits of T2 and SPE.
  if (params_.monitor.limits != LimitKind::none && !model->kernel.is_precomputed()) {
    gram = {};  // the fits of cross-validation have Gram matrices of their own
    find_limits(*model, params_, samples, clock.since_start(), observe);
    clock.end("limits");
  }
  report.seconds = clock.seconds();
  report.peak_memory_bytes = peak_memory();
  fitted_ = std::move(model);
  return *this;
}

Matrix KernelPCA::transform(const SamplesView& X, int threads) const {
  const Samples samples = checked_samples(fitted(), X);
  return project(fitted(), samples.view(), compute_threads(threads));
}

const FittedModel& KernelPCA::fitted() const {
  if (!fitted_) throw NotFitted("this KernelPCA is not fitted yet; call fit() or load() first");
  return *fitted_;
}

const FitReport& KernelPCA::report() const { return fitted().report; }

}  // namespace dualkpca
