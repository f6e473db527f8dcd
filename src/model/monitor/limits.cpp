#include "model/monitor/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/quantiles.hpp"
#include "core/small_eigen.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "model/monitor/statistics.hpp"
#include "model/rows/kernel_matrix.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

constexpr Index cross_validated_up_to = 5000;  // rows up to which `auto` cross-validates

// Rank of an order statistic, counted from 1; more than the count if there are too few values for the level.
Index order_number(Index count, double level) {
  constexpr double rounding = 1e-9;
  return std::max<Index>(1, static_cast<Index>(std::ceil(static_cast<double>(count + 1) * level - rounding)));
}

// <phi_i - P phi_i, phi_j - P phi_j> of some training rows.
Matrix residual_kernel(const FittedModel& model, const SamplesView& samples, const std::vector<Index>& indices,
                       int threads) {
  const Samples sample = samples.pick(indices);
  const Samples rows = model.input.rows(sample.view(), {Precision::float64, model.row_form().is_sparse});
  Matrix R = kernel_matrix(model.kernel, rows.view(), rows.view(), threads);
  const Vector center = kernel_times(model, center_weights(model), sample.view(), threads).col(0);
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
        "{} rows are too few for limits at level {:g}, which needs {}: the limits are the largest T2 and SPE of these "
        "rows",
        limits.rows, limits.level, static_cast<Index>(std::ceil(limits.level / (1 - limits.level) - 1e-9))));
}

void note_training(FittedModel& model, const std::string& problem) {
  FitReport& report = model.report;
  if (!problem.empty()) {
    report.notes.push_back(
        fmt::format("limits are learnt from the training rows without cross-validation: {}", problem));
    return;
  }
  report.notes.push_back(fmt::format(
      "with more than {} rows, limits are quantiles of the training rows, and that of SPE may be too low; limits "
      "cv takes about {} as long as the fit",
      cross_validated_up_to, model.n_samples <= 10000 ? "3 times" : "0.6 times"));
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
  const auto n = static_cast<double>(model.n_samples);
  const auto s = static_cast<double>(ScoreDistance(model).rank());
  const double mean = model.training_spe.mean();
  const double variance = (model.training_spe.array() - mean).square().sum() / std::max(1.0, n - 1);
  Limits limits{.kind = LimitKind::chi2, .level = level, .rows = model.n_samples};
  limits.spe = model.training_spe.maxCoeff() * (1 + 100 * epsilon_of(model.precision));
  if (s > 0) limits.t2 = s * (n * n - 1) / (n * (n - s)) * f_quantile(level, s, n - s);
  // If the spread is only rounding, there is no distribution to fit: the limit is then above all training rows.
  if (mean > 0 && std::sqrt(variance) > 1e-6 * mean)
    limits.spe = variance / (2 * mean) * chi2_quantile(level, 2 * mean * mean / variance);
  return limits;
}

// Takes SPE as a sum of chi2 variables weighted by the spectrum of the residuals, on a sample of the rows.
Limits weighted_chi2_limits(double level, const FittedModel& model, const SamplesView& samples, std::uint64_t seed,
                            int threads) {
  constexpr Index most = 500;
  const Matrix R = residual_kernel(model, samples, random_subset(model.n_samples, most, seed), threads);
  const Vector spectrum = small_eigenvalues(R / static_cast<double>(R.rows())).cwiseMax(0);
  const Index rank = ScoreDistance(model).rank();
  return {.kind = LimitKind::weighted_chi2,
          .level = level,
          .t2 = rank > 0 ? chi2_quantile(level, static_cast<double>(rank)) : 0,
          .spe = weighted_chi2_quantile(level, spectrum),
          .rows = R.rows()};
}

namespace {

// A training row that is monitored has the statistics of the fit up to rounding, which must not lift it above the
// limits.
Limits training_limits(double level, const FittedModel& model) {
  Limits limits = quantile_limits(LimitKind::training, level, training_statistics(model));
  const double rounding = 10 * epsilon_of(model.precision);
  limits.t2 *= 1 + rounding;
  limits.spe += rounding * (model.training_spe + model.scores.rowwise().squaredNorm()).maxCoeff();
  return limits;
}

// Unset if cross-validation fails; a note then says why. `automatic` uses limits of the training rows instead.
std::optional<Limits> cross_validated_limits(FittedModel& model, const MonitorParams& monitor,
                                             const std::function<HeldOut()>& held_out) {
  FitReport& report = model.report;
  const HeldOut found = report.status == Status::stopped ? HeldOut{.problem = "the fit was stopped"} : held_out();
  if (found.is_stopped) {  // the fit is incomplete
    report.status = Status::stopped;
    report.stop_reason = StopReason::requested;
    report.message = "stopped on request while the limits were cross-validated";
  }
  if (found.problem.empty()) return quantile_limits(LimitKind::cross_validated, monitor.level, found.statistics);
  if (monitor.limits == LimitKind::automatic) {
    note_training(model, found.problem);
    return training_limits(monitor.level, model);
  }
  report.notes.push_back(fmt::format("there are no limits: {}", found.problem));
  return {};
}

std::optional<Limits> find_limits(LimitKind kind, FittedModel& model, const KernelPCAParams& params,
                                  const SamplesView& samples, const std::function<HeldOut()>& held_out) {
  const double level = params.monitor.level;
  switch (kind) {
    case LimitKind::cross_validated: return cross_validated_limits(model, params.monitor, held_out);
    case LimitKind::training: return training_limits(level, model);
    case LimitKind::weighted_chi2:
      return weighted_chi2_limits(level, model, samples, params.solver.seed, resolve_threads(params.threads));
    case LimitKind::chi2:
      if (ScoreDistance(model).rank() < model.n_samples) return chi2_limits(level, model);
      model.report.notes.emplace_back("there are no limits: chi2 needs more rows than components");
      return {};
    default: return {};
  }
}

}  // namespace

void set_limits(FittedModel& model, const KernelPCAParams& params, const SamplesView& samples,
                const std::function<HeldOut()>& held_out) {
  LimitKind kind = params.monitor.limits;
  if (kind == LimitKind::automatic) {
    kind = model.n_samples <= cross_validated_up_to ? LimitKind::cross_validated : LimitKind::training;
    if (kind == LimitKind::training) note_training(model, "");
  }
  model.report.limits = find_limits(kind, model, params, samples, held_out);
  if (model.report.limits) note_few_rows(model.report, *model.report.limits);
}

}  // namespace dualkpca
