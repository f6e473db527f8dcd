#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/derived_seed.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/model/check.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/fit/model_gram.hpp"
#include "model/fit/plan_fit.hpp"
#include "model/rows/all_rows.hpp"
#include "model/rows/data_checksum.hpp"
#include "model/rows/project.hpp"
#include "objective/merit.hpp"
#include "solver/certify.hpp"
#include "solver/fill_result.hpp"

namespace dualkpca {
namespace {

template <class T>
bool same_dense(const DenseRows<T>& a, const DenseRows<T>& b) {
  for (Index i = 0; i < a.rows; ++i)
    if (!std::equal(a.row(i), a.row(i) + a.cols, b.row(i))) return false;
  return true;
}

template <class T>
bool same_sparse(const SparseRows<T>& a, const SparseRows<T>& b) {
  const Index entries = a.nonzeros();
  return entries == b.nonzeros() && std::equal(a.offsets, a.offsets + a.rows + 1, b.offsets) &&
         std::equal(a.columns, a.columns + entries, b.columns) && std::equal(a.values, a.values + entries, b.values);
}

// True if preprocessing the samples gives the rows that the model holds. Dense rows are compared in blocks, since there
// may be no memory for another copy.
template <class T>
bool are_held(const FittedModel& model, const SamplesView& samples) {
  const SamplesView& held = model.rows.view();
  const Index block = held.is_sparse() ? samples.rows() : 1024;
  for (Index first = 0; first < samples.rows(); first += block) {
    const Index count = std::min(block, samples.rows() - first);
    const Samples rows = model.input.rows(samples.slice(first, count), model.row_form(), 1, first);
    if (held.is_sparse() ? !same_sparse(rows.view().sparse<T>(), held.sparse<T>())
                         : !same_dense(rows.view().dense<T>(), held.dense<T>().slice(first, count)))
      return false;
  }
  return true;
}

bool is_training_data(const FittedModel& model, const SamplesView& samples) {
  if (model.kernel.is_precomputed())
    return model.data_checksum == 0 /* nothing to compare with */ || matrix_checksum(samples) == model.data_checksum;
  if (model.holds != Holds::all) return checksum(samples) == model.data_checksum;
  return model.precision == Precision::float32 ? are_held<float>(model, samples) : are_held<double>(model, samples);
}

// Checks that X are the training data: the solution belongs to these rows alone.
Samples checked_training_data(const FittedModel& model, const SamplesView& X) {
  Samples samples = model.input.lagged(X);
  const Index n = samples.view().rows(), d = samples.view().cols();
  if (n != model.n_samples || d != model.width())
    throw DataError(
        fmt::format("the data are {} x {}; the model was fitted to {} x {}, and a check needs its training data", n, d,
                    model.n_samples, model.width()));
  X.require_finite("data");
  if (!is_training_data(model, samples.view()))
    throw DataError("the data are not those the model was fitted to, and a check needs its training data");
  return samples;
}

// A view for the memory plan, which reads shape and storage only: dense if the rows of the model are.
SamplesView planned(const FittedModel& model, const SamplesView& samples) {
  if (!samples.is_sparse() || model.row_form().is_sparse) return samples;
  return {nullptr, samples.precision(), samples.rows(), samples.cols(), samples.cols(), 1};
}

// Chooses float64 if it fits the memory, so that rounding hides less. The working memory is that of a certified fit.
Precision choose_precision(const CheckParams& params, const FittedModel& model, const SamplesView& X,
                           KernelPCAParams fit) {
  fit.solver = {.name = SolverName::krylov, .accuracy = Accuracy::certified};
  fit.loss = {};
  fit.n_components = model.n_components();
  fit.memory = params.memory;
  fit.input_memory = params.input_memory;
  fit.threads = params.threads;
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    if (params.precision && *params.precision != precision) continue;
    fit.precision = precision;
    const MemoryPlan plan = plan_samples(fit, X);
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

// Losses other than square have local minima, so only the residual of a critical point can be computed.
void judge_stationary(CheckReport& report, const Matrix& H, const Matrix& GH, const Loss& loss, const RankRule& rule) {
  const Merit at = evaluate_merit(H, GH, loss, rule);
  report.eta = report.eta_low = at.residual();
  report.eta_kind = EtaKind::stationary;
  report.dual_objective = at.dual;
  report.upper_bound = report.lower_bound = std::numeric_limits<double>::quiet_NaN();
  report.status = report.eta <= report.tol ? Status::converged : Status::stopped;
}

// Bounds the error for the square loss, whatever solver made H.
void judge_certified(CheckReport& report, const Matrix& H, const Matrix& GH, const GramOperator& gram,
                     const SolverParams& limits, const GramFacts& facts, const Observer& observe) {
  SolveResult solution;
  fill_result(solution, H, GH, H.cols(), rank_rule(gram));
  const ErrorBounds bounds = certify(solution, gram, limits, facts, observe);
  report.eta = solution.eta;
  report.eta_kind = solution.eta_kind;
  report.upper_bound = bounds.upper;
  report.lower_bound = bounds.lower;
  report.dual_objective = solution.dual_objective;
  report.eta_low = bounds.eta_low;
  report.status = solution.status;
  if (report.status == Status::converged || solution.eta <= report.tol)
    report.status = solution.eta <= report.tol ? Status::converged : Status::iteration_limit;
  else
    report.message = solution.message;
}

}  // namespace

CheckReport KernelPCA::check(const SamplesView& X, const CheckParams& params, const Observer& observe) const {
  const FittedModel& model = fitted();
  const Timer timer;
  const Samples checked = checked_training_data(model, X);
  const SamplesView& samples = checked.view();
  const int threads = compute_threads(params.threads);
  CheckReport report;
  report.precision = choose_precision(params, model, planned(model, samples), params_);
  // After a fit to working precision (tol 0) the check uses 1e-9, the smallest error that it can confirm.
  report.tol = params.tol > 0 ? params.tol : std::max(model.report.tol, 1e-9);

  Samples rows;
  const bool precomputed = model.kernel.is_precomputed();
  if (!precomputed) rows = model.input.rows(samples, {report.precision, model.row_form().is_sparse}, threads);
  const ModelGram gram = make_model_gram(params_, model, samples, rows, report.precision, threads, observe);
  // A landmark model has no dual variables; its scores take their place.
  const Matrix H = model.holds == Holds::landmarks ? project(model, samples, threads) : all_dual_variables(model);
  Matrix GH(H.rows(), H.cols());
  gram.gram->apply(H, GH);
  if (model.loss.name == LossName::square)
    judge_certified(report, H, GH, *gram.gram,
                    {.tol = 0.1 * report.tol,
                     .max_iter = params.max_iter,
                     .time_limit = params.time_limit,
                     .seed = derived_seed(params.seed, Purpose::check)},
                    {.indefinite = !precomputed && !params_.kernel.is_positive_semidefinite()}, observe);
  else
    judge_stationary(report, H, GH, model.loss, rank_rule(*gram.gram));
  take_counts(report, gram.gram->counts());
  report.seconds = timer.seconds();
  return report;
}

}  // namespace dualkpca
