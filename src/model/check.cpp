#include "dualkpca/model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/data/lagged.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/fit/model_gram.hpp"
#include "model/fit/resolve.hpp"
#include "model/rows/all_rows.hpp"
#include "model/rows/project.hpp"
#include "model/rows/training_rows.hpp"
#include "objective/merit.hpp"
#include "solver/certify.hpp"
#include "solver/fill_result.hpp"

namespace dualkpca {
namespace {

template <class T>
bool same_rows(const FittedModel& model, const SamplesView& X) {
  if (model.rows.is_sparse()) {
    const SparseRows<T> rows = model.rows.sparse<T>();
    const CsrBlock<T> given(X, 0);
    const auto entries = static_cast<std::size_t>(rows.offsets[rows.rows]);
    return given.values.size() == entries && std::equal(given.offsets.begin(), given.offsets.end(), rows.offsets) &&
           std::equal(given.columns.begin(), given.columns.end(), rows.columns) &&
           std::equal(given.values.begin(), given.values.end(), rows.values);
  }
  const DenseRows<T> rows = model.rows.dense<T>();
  std::vector<double> scratch(static_cast<std::size_t>(X.cols()));
  std::vector<T> row(static_cast<std::size_t>(X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    RowTransform{model.scaler, model.shift}.apply(X, i, 0, scratch.data(), row.data());
    if (!std::equal(row.begin(), row.end(), rows.row(i))) return false;
  }
  return true;
}

// The solution belongs to these rows alone.
void require_training_data(const FittedModel& model, const SamplesView& X, bool precomputed) {
  const FitReport& report = model.report;
  const Index columns = precomputed ? report.n_samples : model.width();
  if (X.rows() != report.n_samples || X.cols() != columns)
    throw DataError(fmt::format("the data are {} x {}; the model was fitted to {} x {}, and only those can be checked",
                                X.rows(), X.cols(), report.n_samples, columns));
  X.require_finite("data");
  if (precomputed && model.data_checksum == 0) return;  // nothing to compare with
  const bool same = precomputed                                    ? matrix_checksum(X) == model.data_checksum
                    : model.is_landmark_model() || model.is_sparse ? checksum(X) == model.data_checksum
                    : report.precision == Precision::float32       ? same_rows<float>(model, X)
                                                                   : same_rows<double>(model, X);
  if (!same) throw DataError("the data are not those the model was fitted to, and only those can be checked");
}

// float64 where it fits: rounding then hides nothing. The working vectors are those of a certified fit.
Precision choose_precision(const CheckParams& params, const FittedModel& model, const SamplesView& X,
                           KernelPCAParams fit) {
  fit.solver = {.name = SolverName::krylov, .accuracy = Accuracy::certified};
  fit.loss = {};
  fit.n_components = model.report.n_components;
  fit.memory = params.memory;
  fit.input_memory = params.input_memory;
  fit.threads = params.threads;
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    if (params.precision && *params.precision != precision) continue;
    fit.precision = precision;
    const MemoryPlan plan = plan_rows(fit, X);
    if (plan.total() <= plan.budget) return precision;
    if (precision == Precision::float32 || params.precision) require_fits(plan, X.rows());
  }
  return Precision::float32;
}

void take_counts(CheckReport& report, const GramCounts& counts) {
  report.products = counts.products;
  report.product_columns = counts.product_columns;
  report.kernel_columns = counts.kernel_columns;
}

// Losses other than square have local minima: what can be known is how far H is from a critical point.
void judge_stationary(CheckReport& report, const Matrix& H, const Matrix& GH, const FitReport& fit,
                      const RankRule& rule) {
  const Loss loss{.name = parse_loss(fit.loss),
                  .norm = parse_norm(fit.norm),
                  .parameter = fit.kappa ? *fit.kappa : fit.epsilon.value_or(0)};
  const Merit at = evaluate_merit(H, GH, loss, rule);
  report.eta = report.eta_low = at.residual();
  report.eta_kind = EtaKind::stationary;
  report.dual_objective = at.dual;
  report.upper_bound = report.lower_bound = std::numeric_limits<double>::quiet_NaN();
  report.status = report.eta <= report.tol ? Status::converged : Status::stopped;
}

}  // namespace

CheckReport KernelPCA::check(const SamplesView& X, const CheckParams& params, const Observer& observe) const {
  const Samples lagged = lag_rows(X, params_.lags);
  const SamplesView& samples = lagged.view();
  const FittedModel& model = fitted();
  const Timer timer;
  const bool precomputed = params_.kernel.name == KernelName::precomputed;
  require_training_data(model, samples, precomputed);
  const int threads = compute_threads(params.threads);
  CheckReport report;
  report.precision = choose_precision(params, model, samples, params_);
  // Of a fit to working precision it is asked whether the error is as small as a check can tell.
  report.tol = params.tol > 0 ? params.tol : std::max(model.report.tol, 1e-9);

  const TrainingRows rows = precomputed
                                ? TrainingRows{}
                                : make_training_rows(samples, {model.scaler, model.shift}, report.precision, threads);
  const ModelGram gram = make_model_gram(params_, model, samples, rows, report.precision, threads, observe);
  // The H of landmarks is what they give as scores.
  const Matrix H =
      model.is_landmark_model() ? project(model, params_.kernel, samples, threads) : all_dual_variables(model);
  SolveResult solution;
  Matrix GH(H.rows(), H.cols());
  gram.gram->apply(H, GH);
  if (model.report.loss != to_string(LossName::square)) {
    judge_stationary(report, H, GH, model.report, rank_rule(*gram.gram));
    take_counts(report, gram.gram->counts());
    report.seconds = timer.seconds();
    return report;
  }
  fill_result(solution, H, GH, H.cols(), rank_rule(*gram.gram));
  const ErrorBounds bounds = certify(
      solution, *gram.gram,
      {.tol = 0.1 * report.tol, .max_iter = params.max_iter, .time_limit = params.time_limit, .seed = params.seed},
      {.indefinite = !precomputed && !params_.kernel.is_positive_semidefinite()}, observe);
  report.eta = solution.eta;
  report.eta_kind = solution.eta_kind;
  report.upper_bound = bounds.upper;
  report.lower_bound = bounds.lower;
  report.dual_objective = solution.dual_objective;
  report.eta_low = bounds.lower > 0 ? std::clamp(1 + 2 * solution.dual_objective / bounds.lower, 0.0, report.eta) : 0;
  report.status = solution.status;
  if (report.status == Status::converged || solution.eta <= report.tol) {
    report.status = solution.eta <= report.tol ? Status::converged : Status::iteration_limit;
  } else {
    report.message = solution.message;
  }
  take_counts(report, gram.gram->counts());
  report.seconds = timer.seconds();
  return report;
}

}  // namespace dualkpca
