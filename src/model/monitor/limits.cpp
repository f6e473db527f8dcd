#include "model/monitor/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/quantiles.hpp"
#include "core/small_eigen.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "model/monitor/cross_validation.hpp"
#include "model/monitor/statistics.hpp"
#include "model/rows/project.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {
namespace {

constexpr Index cross_validated_up_to = 5000;  // rows, of automatic

// Number of an order statistic, from 1; more than the count if there are too few values for the level.
Index order_number(Index count, double level) {
  constexpr double rounding = 1e-9;
  return std::max<Index>(1, static_cast<Index>(std::ceil(static_cast<double>(count + 1) * level - rounding)));
}

// <phi_i - P phi_i, phi_j - P phi_j> of some training rows.
Matrix residual_kernel(const FittedModel& model, const KernelPCAParams& params, const SamplesView& X,
                       const std::vector<Index>& indices) {
  const int threads = resolve_threads(params.threads);
  FittedModel sample;  // whose stored rows are the sample
  sample.report.precision = Precision::float64;
  sample.report.gamma = model.report.gamma;
  sample.scaler = model.scaler;
  sample.shift = model.shift;
  sample.rows = pick_training_rows(X, indices, {model.scaler, model.shift});
  const TrainingRows given = pick_training_rows(X, indices, {Scaler{}, Vector()});
  const SamplesView view = given.is_sparse()
                               ? SamplesView(given.sparse<double>())
                               : SamplesView(static_cast<const double*>(given.data), given.rows, given.cols);
  Matrix R = kernel_times(sample, params.kernel, Matrix::Identity(given.rows, given.rows), view, threads);
  const Vector center = kernel_times(model, params.kernel, center_weights(model, params.center), view, threads).col(0);
  const Matrix scores = model.scores(indices, Eigen::all);
  R.array() += model.kernel_mean;
  R.colwise() -= center;
  R.rowwise() -= center.transpose();
  R -= scores * scores.transpose();
  return R;
}

void note_few_rows(FitReport& report, const Limits& limits) {
  const bool quantile = limits.kind == LimitKind::cross_validated || limits.kind == LimitKind::training;
  if (quantile && order_number(limits.rows, limits.level) > limits.rows)
    report.notes.push_back(fmt::format(
        "the limits are the largest T2 and SPE of {} rows: too few for level {:g}, which takes {}", limits.rows,
        limits.level, static_cast<Index>(std::ceil(limits.level / (1 - limits.level) - 1e-9))));
}

void note_training(FitReport& report, const std::string& problem) {
  if (!problem.empty()) {
    report.notes.push_back(fmt::format("limits are of the training rows, without cross-validation: {}", problem));
    return;
  }
  report.notes.push_back(fmt::format(
      "limits are quantiles of the training rows, since there are more than {}: that of SPE may be too low; limits "
      "cv would take about {} as long as the fit did",
      cross_validated_up_to, report.n_samples <= 10000 ? "3 times" : "0.6 times"));
}

}  // namespace

double upper_quantile(Vector values, double level) {
  const Index at = std::min(values.size(), order_number(values.size(), level)) - 1;
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[at];
}

Limits quantile_limits(LimitKind kind, double level, const RowStatistics& statistics) {
  return {.kind = kind,
          .level = level,
          .t2 = upper_quantile(statistics.t2, level),
          .spe = upper_quantile(statistics.spe, level),
          .rows = statistics.t2.size()};
}

// Nomikos and MacGregor 1995; Lee et al. 2004.
Limits chi2_limits(double level, const FittedModel& model) {
  const auto n = static_cast<double>(model.report.n_samples);
  const auto s = static_cast<double>(ScoreDistance(model).rank());
  const double mean = model.training_spe.mean();
  const double variance = (model.training_spe.array() - mean).square().sum() / std::max(1.0, n - 1);
  Limits limits{.kind = LimitKind::chi2, .level = level, .rows = model.report.n_samples};
  limits.spe = model.training_spe.maxCoeff() * (1 + 100 * epsilon_of(model.report.precision));
  if (s > 0) limits.t2 = s * (n * n - 1) / (n * (n - s)) * f_quantile(level, s, n - s);
  // A spread that is only rounding has no shape: then no training row is above the limit.
  if (mean > 0 && std::sqrt(variance) > 1e-6 * mean)
    limits.spe = variance / (2 * mean) * chi2_quantile(level, 2 * mean * mean / variance);
  return limits;
}

Limits weighted_chi2_limits(double level, const FittedModel& model, const KernelPCAParams& params,
                            const SamplesView& X) {
  constexpr Index most = 500;
  const std::vector<Index> indices = random_subset(model.report.n_samples, most, params.solver.seed);
  const Matrix R = residual_kernel(model, params, X, indices);
  const Vector spectrum = small_eigenvalues(R / static_cast<double>(R.rows())).cwiseMax(0);
  const Index rank = ScoreDistance(model).rank();
  return {.kind = LimitKind::weighted_chi2,
          .level = level,
          .t2 = rank > 0 ? chi2_quantile(level, static_cast<double>(rank)) : 0,
          .spe = weighted_chi2_quantile(level, spectrum),
          .rows = R.rows()};
}

void set_limits(FittedModel& model, const KernelPCAParams& params, const SamplesView& X, const Timer& since_start,
                const Observer& observe) {
  FitReport& report = model.report;
  const double level = params.monitor.level;
  const bool automatic = params.monitor.limits == LimitKind::automatic;
  LimitKind kind = params.monitor.limits;
  if (automatic) {
    kind = report.n_samples <= cross_validated_up_to ? LimitKind::cross_validated : LimitKind::training;
    if (kind == LimitKind::training) note_training(report, "");
  }
  if (kind == LimitKind::cross_validated) {
    const HeldOut held_out = report.status == Status::stopped
                                 ? HeldOut{.problem = "the fit was stopped"}
                                 : held_out_statistics(model, params, X, since_start, observe);
    if (held_out.is_stopped) {  // the fit is not what was asked for
      report.status = Status::stopped;
      report.message = "stopped on request while the limits were cross-validated";
    }
    if (held_out.problem.empty()) {
      report.limits = quantile_limits(kind, level, held_out.statistics);
    } else if (automatic) {
      kind = LimitKind::training;
      note_training(report, held_out.problem);
    } else {
      report.notes.push_back(fmt::format("there are no limits: {}", held_out.problem));
      return;
    }
  }
  if (kind == LimitKind::training) {
    report.limits = quantile_limits(kind, level, training_statistics(model));
    // A training row that comes again has the statistics of the fit up to rounding, and must not be above them.
    const double rounding = 10 * epsilon_of(report.precision);
    report.limits->t2 *= 1 + rounding;
    report.limits->spe += rounding * (model.training_spe + model.scores.rowwise().squaredNorm()).maxCoeff();
  }
  if (kind == LimitKind::chi2 && ScoreDistance(model).rank() >= report.n_samples) {
    report.notes.emplace_back("there are no limits: chi2 needs more rows than components");
    return;
  }
  if (kind == LimitKind::chi2) report.limits = chi2_limits(level, model);
  if (kind == LimitKind::weighted_chi2) report.limits = weighted_chi2_limits(level, model, params, X);
  note_few_rows(report, *report.limits);
}

}  // namespace dualkpca
