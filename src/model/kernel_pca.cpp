#include "dualkpca/model/kernel_pca.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/data/lagged.hpp"
#include "model/file/model_arrays.hpp"
#include "model/fit/build_model.hpp"
#include "model/fit/fit_notes.hpp"
#include "model/fit/model_gram.hpp"
#include "model/fit/prepare.hpp"
#include "model/fit/resolve.hpp"
#include "model/fit/solve_dual.hpp"
#include "model/fitted_model.hpp"
#include "model/monitor/limits.hpp"
#include "model/rows/all_rows.hpp"
#include "model/rows/project.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {
namespace {

// Seconds since the previous lap, by stage.
class Laps {
 public:
  void lap(FitReport& report, const char* stage) {
    report.seconds.emplace_back(stage, std::max(0.0, timer_.seconds() - moved_));
    timer_ = Timer();
    moved_ = 0;
  }
  /// Counts seconds of the running lap for the last one.
  void move_back(FitReport& report, double seconds) {
    report.seconds.back().second += seconds;
    moved_ += seconds;
  }

 private:
  Timer timer_;
  double moved_ = 0;
};

}  // namespace

KernelPCA::KernelPCA(KernelPCAParams params) : params_(params) {}
KernelPCA::KernelPCA(KernelPCAParams params, std::shared_ptr<const FittedModel> fitted)
    : params_(params), fitted_(std::move(fitted)) {}

KernelPCA& KernelPCA::fit(const SamplesView& X, const Observer& observe, std::span<const std::string> ids) {
  if (!ids.empty() && static_cast<Index>(ids.size()) != X.rows())
    throw InvalidArgument(fmt::format("there are {} ids for {} rows", ids.size(), X.rows()));
  const Samples lagged = lag_rows(X, params_.lags);
  const SamplesView& samples = lagged.view();
  if (!ids.empty()) ids = ids.subspan(static_cast<std::size_t>(params_.lags));
  auto model = std::make_shared<FittedModel>();
  model->lags = params_.lags;
  FitReport& report = model->report;
  const int threads = compute_threads(params_.threads);
  report.plan = checked_plan(params_, samples);
  const Precision precision = report.plan.precision;
  const bool precomputed = params_.kernel.name == KernelName::precomputed;
  const Timer since_start;
  Laps laps;

  prepare_rows(*model, params_, samples, threads);
  laps.lap(report, "prepare");

  // The Gram matrix, centred.
  const TrainingRows rows = model->rows;
  ModelGram gram = make_model_gram(params_, *model, samples, rows, precision, threads, observe);
  report.features_used = gram.features_used;
  laps.lap(report, "gram");
  const double assembled = gram.gram->counts().assembly_seconds;  // a given matrix is copied at once

  // The dual.
  SolverParams solver = params_.solver;
  if (solver.time_limit > 0) solver.time_limit = std::max(1e-9, solver.time_limit - since_start.seconds());
  SolveResult solution = solve_dual(*gram.gram, params_, solver, gram_facts(params_, report.plan), observe);
  laps.move_back(report, gram.gram->counts().assembly_seconds - assembled);  // evaluated by the first product
  laps.lap(report, "solve");

  // Ordered components and what projecting new rows needs.
  report.status = solution.status;
  report.stop_reason = solution.stop_reason;
  report.message = solution.message;
  report.solver = to_string(solution.solver);
  report.solver_reason = solution.reason;
  report.gram = to_string(solution.landmarks ? GramMode::matrix_free : GramMode::stored);
  report.precision = precision;
  report.n_samples = samples.rows();
  report.n_features = X.cols();
  report.n_components = solution.H.cols();
  if (samples.is_sparse()) report.nonzeros = samples.nonzeros();
  report.notes = notes_on(params_, solution.solver);
  report.notes.insert(report.notes.end(), solution.notes.begin(), solution.notes.end());
  if (precomputed || solution.landmarks || gram.is_sparse)
    model->data_checksum = precomputed ? matrix_checksum(samples) : checksum(samples);
  if (solution.landmarks)
    take_landmarks(*model, solution, samples, gram.gram->uncentered().diagonal(), precomputed);
  else
    take_dual_solution(*model, solution, gram, ids);
  report.products = gram.gram->counts().products;
  report.product_columns = gram.gram->counts().product_columns;
  report.kernel_columns = gram.gram->counts().kernel_columns;
  report.iterations = solution.iterations;
  report.tol = solver.tol;
  report.eta = solution.eta;
  report.eta_kind = to_string(solution.eta_kind);
  report.dual_objective = solution.dual_objective;
  report.primal_objective = solution.primal_objective;
  report.stored_rows = model->rows.rows;
  report.model_bytes = ModelArrays(*model).bytes();
  laps.lap(report, "finish");

  if (params_.monitor.limits != LimitKind::none && !precomputed) {
    gram = {};  // the fits of cross-validation have their own
    set_limits(*model, params_, samples, since_start, observe);
    laps.lap(report, "limits");
  }
  report.peak_memory_bytes = peak_memory();
  fitted_ = std::move(model);
  return *this;
}

Matrix KernelPCA::transform(const SamplesView& X, int threads) const {
  require_columns(fitted(), params_.kernel, X);
  return project(fitted(), params_.kernel, lag_rows(X, params_.lags).view(), compute_threads(threads));
}

const FittedModel& KernelPCA::fitted() const {
  if (!fitted_) throw NotFitted("this KernelPCA is not fitted yet; call fit() or load() first");
  return *fitted_;
}

const FitReport& KernelPCA::report() const { return fitted().report; }
const Matrix& KernelPCA::scores() const { return fitted().scores; }
Vector KernelPCA::row_weights() const { return all_row_weights(fitted()); }
Matrix KernelPCA::dual_variables() const {
  return fitted().is_landmark_model() ? fitted().scores : all_dual_variables(fitted());
}

}  // namespace dualkpca
