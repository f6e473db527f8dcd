#include "model/fit/describe.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "model/file/model_arrays.hpp"

namespace dualkpca {
namespace {

// At most ten extreme rows: those clipped most with huber, those with the largest weights with epsilon_insensitive.
std::vector<ExtremeRow> extreme_rows(const Vector& weights, bool smallest, std::span<const std::string> ids) {
  constexpr std::ptrdiff_t most = 10;
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto end = order.begin() + std::min<std::ptrdiff_t>(most, weights.size());
  std::partial_sort(order.begin(), end, order.end(), [&](Index a, Index b) {
    if (weights[a] == weights[b]) return a < b;
    return smallest ? weights[a] < weights[b] : weights[a] > weights[b];
  });
  std::vector<ExtremeRow> rows;
  for (auto at = order.begin(); at != end; ++at) {
    if (smallest ? weights[*at] == 1 : weights[*at] == 0) break;
    rows.push_back({*at, ids.empty() ? std::string() : ids[static_cast<std::size_t>(*at)], weights[*at]});
  }
  return rows;
}

}  // namespace

void describe(FitReport& report, const SolveResult& solution) {
  report.status = solution.status;
  report.stop_reason = solution.stop_reason;
  report.message = solution.message;
  report.solver = solution.solver;
  report.solver_reason = solution.reason;
  report.gram = solution.landmarks ? GramMode::matrix_free : GramMode::stored;
  report.iterations = solution.iterations;
  report.eta = solution.eta;
  report.eta_kind = solution.eta_kind;
  report.dual_objective = solution.dual_objective;
  report.primal_objective = solution.primal_objective;
  report.notes.insert(report.notes.end(), solution.notes.begin(), solution.notes.end());
  const Loss& loss = solution.loss;
  report.loss = loss.name;
  if (loss.name == LossName::square) return;
  report.norm = loss.norm;
  (loss.name == LossName::huber ? report.kappa : report.epsilon) = loss.parameter;
  report.kappa_max = solution.kappa_max;
  report.starts = solution.starts;
}

void describe(FitReport& report, const ModelGram& gram) {
  const GramCounts counts = gram.gram->counts();
  report.products = counts.products;
  report.product_columns = counts.product_columns;
  report.kernel_columns = counts.kernel_columns;
  report.features_used = gram.features_used();
}

void describe(FitReport& report, const SamplesView& samples) {
  if (samples.is_sparse()) report.nonzeros = samples.nonzeros();
}

void describe_model(FittedModel& model) {
  FitReport& report = model.report;
  report.n_samples = model.n_samples;
  report.n_features = model.n_features;
  report.n_components = model.n_components();
  report.precision = model.precision;
  if (uses_gamma(model.kernel.name)) report.gamma = model.user_gamma();
  if (model.holds == Holds::landmarks) report.landmarks = static_cast<Index>(model.held.size());
  report.stored_rows = model.rows.view().rows();
  report.model_bytes = ModelArrays(model).bytes();
}

// Shares are undefined if the components explain more than the trace, beyond rounding: negative eigenvalues have
// reduced the trace.
void describe_eigenvalues(FitReport& report, const Vector& eigenvalues, double trace, double rounding) {
  report.eigenvalues = eigenvalues;
  if (eigenvalues.sum() > 1.001 * std::max(trace, 0.0) + rounding)
    report.explained_variance_ratio.setConstant(eigenvalues.size(), std::numeric_limits<double>::quiet_NaN());
  else
    report.explained_variance_ratio = trace > 0 ? Vector(eigenvalues / trace) : Vector::Zero(eigenvalues.size());
}

void describe_weights(FitReport& report, const Loss& loss, const Matrix& H, const Vector& weights,
                      std::span<const std::string> ids) {
  if (loss.name == LossName::square) return;
  report.weighted_rows = (weights.array() < 1).count();
  if (loss.norm == Norm::frobenius) return;
  report.sparsity = zero_share(H, loss.norm);
  report.extreme_rows = extreme_rows(weights, loss.name == LossName::huber, ids);
}

}  // namespace dualkpca
