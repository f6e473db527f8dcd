#include "model/fit/build_model.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "model/fit/components.hpp"
#include "model/fit/fit_notes.hpp"
#include "model/rows/project.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {
namespace {

constexpr const char* nothing_left =
    "the kernel values are zero up to rounding, so there is nothing to learn: scale the data";

// Undefined if the components explain more than there is, and more than rounding could: negative eigenvalues have
// eaten of the trace.
Vector explained_ratio(const Vector& eigenvalues, double trace, double rounding) {
  if (eigenvalues.sum() > 1.001 * std::max(trace, 0.0) + rounding)
    return Vector::Constant(eigenvalues.size(), std::numeric_limits<double>::quiet_NaN());
  return trace > 0 ? Vector(eigenvalues / trace) : Vector::Zero(eigenvalues.size());
}

// The rows that stand out: of huber those that were clipped most, of epsilon_insensitive those that were kept best.
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

std::vector<Index> support_of(const Matrix& H) {
  std::vector<Index> rows;
  for (Index i = 0; i < H.rows(); ++i)
    if (!H.row(i).isZero(0)) rows.push_back(i);
  return rows;
}

// Rows of the support and of the centre, and what they need to project: docs/math.md, "A centre on few rows".
void keep_few_rows(FittedModel& model, const ModelGram& gram, const std::vector<Index>& support) {
  const Matrix A = times(model.H, model.rotation);
  model.is_sparse = true;
  model.kept = support;
  if (gram.reduced_center == nullptr) {
    model.coefficients = A(model.kept, Eigen::all);
  } else {
    const ReducedCenterGram& center = *gram.reduced_center;
    model.kept.insert(model.kept.end(), center.landmarks().begin(), center.landmarks().end());
    std::sort(model.kept.begin(), model.kept.end());
    model.kept.erase(std::unique(model.kept.begin(), model.kept.end()), model.kept.end());
    model.center = Vector::Zero(static_cast<Index>(model.kept.size()));
    for (std::size_t l = 0; l < center.landmarks().size(); ++l) {
      const auto at = std::lower_bound(model.kept.begin(), model.kept.end(), center.landmarks()[l]);
      model.center[at - model.kept.begin()] += center.weights()[static_cast<Index>(l)];
    }
    const Eigen::RowVectorXd sums = A.colwise().sum();
    model.coefficients = A(model.kept, Eigen::all);
    model.coefficients -= model.center * sums;
    model.kernel_mean = center.center_norm();
    model.offset = A.transpose() * center.center_values() - sums.transpose() * model.kernel_mean;
    model.report.center_error = center.center_error();
    model.report.center_landmarks = static_cast<Index>(center.landmarks().size());
  }
  if (model.kept.empty()) throw DataError(nothing_left);
  model.rows = pick_rows(model.rows, model.kept);
}

void report_loss(FittedModel& model, const SolveResult& solution, std::span<const std::string> ids) {
  FitReport& report = model.report;
  const Loss& loss = solution.loss;
  if (loss.name == LossName::square) return;
  const bool huber = loss.name == LossName::huber;
  report.loss = to_string(loss.name);
  report.norm = to_string(loss.norm);
  (huber ? report.kappa : report.epsilon) = loss.parameter;
  report.kappa_max = solution.kappa_max;
  if (loss.norm != Norm::frobenius) report.sparsity = zero_share(model.H, loss.norm);
  report.weighted_rows = (model.weights.array() < 1).count();
  if (loss.norm != Norm::frobenius) report.extreme_rows = extreme_rows(model.weights, huber, ids);
  report.starts = solution.starts;
}

// What monitoring and pre-images need of the training rows; `diagonal` of the Gram matrix about the centre.
void summarize_rows(FittedModel& model, const Vector& diagonal) {
  const Matrix& Y = model.scores;
  model.score_mean = Y.colwise().mean();
  const Matrix centered = Y.rowwise() - model.score_mean.transpose();
  model.score_covariance = inner_square(centered) / static_cast<double>(std::max<Index>(1, Y.rows() - 1));
  model.training_spe = (diagonal - Y.rowwise().squaredNorm()).cwiseMax(0);
  model.row_spe = model.is_sparse             ? Vector(model.training_spe(model.kept))
                  : model.is_landmark_model() ? Vector(model.training_spe(model.landmarks))
                                              : model.training_spe;
}

}  // namespace

void take_dual_solution(FittedModel& model, const SolveResult& solution, const ModelGram& gram,
                        std::span<const std::string> ids) {
  OrderedComponents components = order_components(solution, rank_rule(*gram.gram));
  FitReport& report = model.report;
  model.H = std::move(components.H);
  model.rotation = std::move(components.rotation);
  model.scores = std::move(components.scores);
  model.weights = std::move(components.weights);
  model.offset = Vector::Zero(model.H.cols());
  const std::vector<Index> support = support_of(model.H);
  report.support_size = static_cast<Index>(support.size());
  if (gram.is_sparse) {
    keep_few_rows(model, gram, support);
  } else {
    model.coefficients = projection_coefficients(model.H, model.rotation, gram.centered != nullptr);
    if (gram.centered != nullptr) {
      model.offset = model.coefficients.transpose() * gram.centered->row_means();
      model.kernel_mean = gram.centered->row_means().mean();
    }
  }
  report_loss(model, solution, ids);
  const Vector diagonal = gram.gram->diagonal();
  summarize_rows(model, diagonal);
  const double trace = diagonal.sum(), size = gram.gram->scale() * static_cast<double>(report.n_samples);
  report.eigenvalues = components.eigenvalues;
  report.explained_variance_ratio = explained_ratio(components.eigenvalues, trace, epsilon_of(report.precision) * size);
  note_rounding(report, gram.centered != nullptr || gram.reduced_center != nullptr, size, trace);
  if (!model.is_sparse) return;
  model.H = Matrix(model.H(model.kept, Eigen::all));
  model.weights = Vector(model.weights(model.kept));
}

void take_landmarks(FittedModel& model, SolveResult& solution, const SamplesView& X, const Vector& kernel_diagonal,
                    bool precomputed) {
  Landmarks& landmarks = *solution.landmarks;
  if (landmarks.rows.empty()) throw DataError(nothing_left);
  FitReport& report = model.report;
  fix_signs(solution.H, landmarks.coefficients, landmarks.offset);
  report.precision = Precision::float64;
  report.landmarks = static_cast<Index>(landmarks.rows.size());
  report.support_size = *report.landmarks;
  report.eigenvalues = solution.H.colwise().squaredNorm();
  report.explained_variance_ratio = explained_ratio(report.eigenvalues, landmarks.trace_high, 0);
  report.trace_interval = {landmarks.trace_low, landmarks.trace_high};
  model.scores = std::move(solution.H);
  model.offset = std::move(landmarks.offset);
  model.landmarks = std::move(landmarks.rows);
  model.coefficients = std::move(landmarks.coefficients);
  if (precomputed) {  // kernel values against all rows come in later, so all have a coefficient
    Matrix all = Matrix::Zero(report.n_samples, report.n_components);
    all(model.landmarks, Eigen::all) = model.coefficients;
    model.coefficients = std::move(all);
  } else {
    model.rows = pick_training_rows(X, model.landmarks, {model.scaler, model.shift});
  }
  model.kernel_mean = landmarks.kernel_mean;
  if (!precomputed) model.center = landmarks.center;
  summarize_rows(model, (kernel_diagonal - 2 * landmarks.center_values).array() + landmarks.kernel_mean);
}

}  // namespace dualkpca
