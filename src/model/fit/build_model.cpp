#include "model/fit/build_model.hpp"

#include <algorithm>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "model/fit/components.hpp"
#include "model/fit/describe.hpp"
#include "model/fit/fit_notes.hpp"
#include "model/rows/data_checksum.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

constexpr const char* nothing_left =
    "the kernel values are zero up to rounding, so there is nothing to learn: scale the data";

std::vector<Index> support_of(const Matrix& H) {
  std::vector<Index> rows;
  for (Index i = 0; i < H.rows(); ++i)
    if (!H.row(i).isZero(0)) rows.push_back(i);
  return rows;
}

// Keeps the rows of the support and of the centre, and finds the coefficients that project new rows: docs/math.md, "A
// centre on few rows".
void hold_support(FittedModel& model, const ModelGram& gram, const std::vector<Index>& support) {
  const Matrix A = times(model.H, model.rotation);
  model.holds = Holds::support;
  model.held = support;
  if (gram.reduced_center == nullptr) {
    model.coefficients = A(model.held, Eigen::all);
  } else {
    const ReducedCenterGram& center = *gram.reduced_center;
    model.held.insert(model.held.end(), center.landmarks().begin(), center.landmarks().end());
    std::sort(model.held.begin(), model.held.end());
    model.held.erase(std::unique(model.held.begin(), model.held.end()), model.held.end());
    model.center = Vector::Zero(static_cast<Index>(model.held.size()));
    for (std::size_t l = 0; l < center.landmarks().size(); ++l) {
      const auto at = std::lower_bound(model.held.begin(), model.held.end(), center.landmarks()[l]);
      model.center[at - model.held.begin()] += center.weights()[static_cast<Index>(l)];
    }
    const Eigen::RowVectorXd sums = A.colwise().sum();
    model.coefficients = A(model.held, Eigen::all);
    model.coefficients -= model.center * sums;
    model.kernel_mean = center.center_norm();
    model.offset = A.transpose() * center.center_values() - sums.transpose() * model.kernel_mean;
    model.report.center_error = center.center_error();
    model.report.center_landmarks = static_cast<Index>(center.landmarks().size());
  }
  if (model.held.empty()) throw DataError(nothing_left);
  model.rows = model.rows.pick(model.held);
}

void hold_all(FittedModel& model, const ModelGram& gram) {
  model.coefficients = projection_coefficients(model.H, model.rotation, gram.centered != nullptr);
  if (gram.centered == nullptr) return;
  model.offset = model.coefficients.transpose() * gram.centered->row_means();
  model.kernel_mean = gram.centered->row_means().mean();
}

// Computes the statistics of the training rows for monitoring and pre-images; `diagonal` is that of the centred Gram
// matrix.
void summarize_rows(FittedModel& model, const Vector& diagonal) {
  const Matrix& Y = model.scores;
  model.score_mean = Y.colwise().mean();
  const Matrix centered = Y.rowwise() - model.score_mean.transpose();
  model.score_covariance = inner_square(centered) / static_cast<double>(std::max<Index>(1, Y.rows() - 1));
  model.training_spe = (diagonal - Y.rowwise().squaredNorm()).cwiseMax(0);
  model.row_spe = model.holds == Holds::all ? model.training_spe : Vector(model.training_spe(model.held));
}

// Fills the model from H and GH.
void take_dual_solution(FittedModel& model, const SolveResult& solution, const ModelGram& gram, bool support_only,
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
  if (support_only)
    hold_support(model, gram, support);
  else
    hold_all(model, gram);
  describe_weights(report, model.loss, model.H, model.weights, ids);
  const Vector diagonal = gram.gram->diagonal();
  summarize_rows(model, diagonal);
  const double trace = diagonal.sum(), size = gram.gram->scale() * static_cast<double>(model.n_samples);
  describe_eigenvalues(report, components.eigenvalues, trace, epsilon_of(model.precision) * size);
  note_zeros(model);
  note_rounding(model, gram.is_centered(), size, trace);
  if (model.holds == Holds::all) return;
  model.H = Matrix(model.H(model.held, Eigen::all));
  model.weights = Vector(model.weights(model.held));
}

// Fills the model from landmarks: no product was made, and all numbers are float64.
void take_landmarks(FittedModel& model, SolveResult& solution, const SamplesView& samples,
                    const Vector& kernel_diagonal) {
  Landmarks& landmarks = *solution.landmarks;
  if (landmarks.rows.empty()) throw DataError(nothing_left);
  fix_signs(solution.H, landmarks.coefficients, landmarks.offset);
  describe_eigenvalues(model.report, solution.H.colwise().squaredNorm(), landmarks.trace_high, 0);
  model.report.trace_interval = {landmarks.trace_low, landmarks.trace_high};
  model.report.support_size = static_cast<Index>(landmarks.rows.size());
  model.precision = Precision::float64;
  model.holds = Holds::landmarks;
  model.held = std::move(landmarks.rows);
  model.scores = std::move(solution.H);
  model.offset = std::move(landmarks.offset);
  model.kernel_mean = landmarks.kernel_mean;
  if (model.kernel.is_precomputed()) {  // new rows are given as kernel values with all rows, so all have a coefficient
    model.coefficients = Matrix::Zero(model.n_samples, landmarks.coefficients.cols());
    model.coefficients(model.held, Eigen::all) = landmarks.coefficients;
  } else {
    model.coefficients = std::move(landmarks.coefficients);
    model.rows = model.input.rows(samples.pick(model.held).view(), {model.precision, samples.is_sparse()});
    model.center = landmarks.center;
  }
  note_zeros(model);
  summarize_rows(model, (kernel_diagonal - 2 * landmarks.center_values).array() + landmarks.kernel_mean);
}

}  // namespace

void build_model(FittedModel& model, const KernelPCAParams& params, SolveResult solution, const ModelGram& gram,
                 const SamplesView& samples, std::span<const std::string> ids) {
  const bool support_only = keeps_support_only(params);
  model.loss = solution.loss;
  model.report.notes = notes_on(params, solution.solver);
  describe(model.report, solution);
  if (model.kernel.is_precomputed())
    model.data_checksum = matrix_checksum(samples);
  else if (solution.landmarks || support_only)
    model.data_checksum = checksum(samples);
  if (solution.landmarks)
    take_landmarks(model, solution, samples, gram.gram->uncentered().diagonal());
  else
    take_dual_solution(model, solution, gram, support_only, ids);
  describe(model.report, gram);
  describe(model.report, samples);
  describe_model(model);
}

}  // namespace dualkpca
