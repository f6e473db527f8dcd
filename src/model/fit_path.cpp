#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/names.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/model/path.hpp"
#include "model/fit/model_gram.hpp"
#include "model/fit/plan_fit.hpp"
#include "model/fit/prepare.hpp"
#include "model/fit/solve_dual.hpp"
#include "objective/merit.hpp"

namespace dualkpca {
namespace {

using Over = PathParams::Over;

constexpr NameTable<Over, 3> over_names = {
    {{Over::kappa, "kappa"}, {Over::kappa_ratio, "kappa_ratio"}, {Over::epsilon, "epsilon"}}};

// kappa from the smallest that clips nothing down to a twentieth of it; epsilon at quantiles of the sizes of the
// square-loss solution.
std::vector<double> default_values(const Matrix& H, const LossParams& loss, Index points) {
  std::vector<double> values;
  const auto count = static_cast<double>(points);
  const double most = largest(H, loss.norm);
  std::vector<double> sizes = sizes_of(H, loss.norm);
  std::sort(sizes.begin(), sizes.end());
  for (Index i = 0; i < points; ++i) {
    const auto k = static_cast<double>(i);
    if (loss.name == LossName::huber) {
      values.push_back(most * std::pow(0.05, points == 1 ? 0.5 : k / (count - 1)));
    } else if (loss.norm == Norm::frobenius) {
      values.push_back(most * (k + 1) / (count + 1));
    } else {
      values.push_back(sizes[static_cast<std::size_t>((k + 1) / (count + 1) * static_cast<double>(sizes.size()))]);
    }
  }
  return values;
}

// Values in an order in which each solution is a good start for the next.
std::vector<double> values_of(const PathParams& path, const LossParams& loss, const Matrix& H) {
  std::vector<double> values = path.values.empty() ? default_values(H, loss, path.points) : path.values;
  if (path.over == Over::kappa_ratio && !path.values.empty())
    for (double& value : values) value *= largest(H, loss.norm);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (loss.name == LossName::huber) std::reverse(values.begin(), values.end());
  return values;
}

class PathRunner {
 public:
  PathRunner(const KernelPCAParams& params, const GramOperator& gram, const GramFacts& facts,
             const std::function<void(const PathPoint&)>& take, const Observer& observe)
      : params_(params), gram_(gram), facts_(facts), take_(take), observe_(observe) {}

  // False if it was stopped.
  bool solve_for(Index s, const PathParams& path) {
    Timer timer;
    products_ = gram_.counts().products;
    const SolveResult start = solve_start(gram_, s, params_.loss, params_.solver, facts_, observe_);
    const Matrix H = start.H.leftCols(s);
    take_square(H, s, timer);
    std::optional<Matrix> warm;
    for (const double value : values_of(path, params_.loss, H)) {
      timer = Timer();
      const Index before = gram_.counts().products;
      LossParams loss = params_.loss;
      (loss.name == LossName::huber ? loss.kappa : loss.epsilon) = value;
      PathPoint point{.n_components = s, .loss = {loss.name, loss.norm, value}};
      point.ratio = value / largest(H, loss.norm);
      std::optional<SolveResult> solved;
      try {
        solved = solve_loss(gram_, s, loss, params_.solver, start, facts_, observe_, warm);
      } catch (const InvalidArgument&) {
        if (loss.name != LossName::epsilon_insensitive || point.ratio < 1) throw;
        point.products = gram_.counts().products - before;
        point.seconds = timer.seconds();
        take_zero(point);  // the grid may contain an epsilon that makes everything zero
        continue;
      }
      const SolveResult& result = *solved;
      warm = result.H;
      describe(point, result);
      point.products = gram_.counts().products - before;
      point.seconds = timer.seconds();
      take_(point);
      if (result.stop_reason == StopReason::requested) return false;
    }
    return true;
  }

 private:
  void take_square(const Matrix& H, Index s, const Timer& timer) {
    SolveResult square;
    square.H = H;
    square.GH = Matrix(H.rows(), H.cols());
    gram_.apply(square.H, square.GH);
    trace_ = gram_.diagonal().sum();
    PathPoint point{.n_components = s, .ratio = std::numeric_limits<double>::quiet_NaN()};
    const Merit at = evaluate_merit(square.H, square.GH, {}, rank_rule(gram_));
    square.dual_objective = at.dual;
    square.primal_objective = at.value;
    square_error_ = trace_ - at.Y.squaredNorm();
    square.eta = at.residual();
    describe(point, square);
    point.products = gram_.counts().products - products_;
    point.seconds = timer.seconds();
    take_(point);
  }

  void take_zero(PathPoint& point) const {
    point.reconstruction_error = trace_;
    point.error_ratio = trace_ / square_error_;
    if (point.loss.norm != Norm::frobenius) point.sparsity = 1;
    point.weighted_rows = gram_.size();
    take_(point);
  }

  void describe(PathPoint& point, const SolveResult& result) const {
    const Merit at = evaluate_merit(result.H, result.GH, point.loss, rank_rule(gram_));
    point.dual_objective = result.dual_objective;
    point.primal_objective = result.primal_objective;
    point.reconstruction_error = trace_ - at.Y.squaredNorm();
    point.error_ratio = point.reconstruction_error / square_error_;
    if (point.loss.name != LossName::square && point.loss.norm != Norm::frobenius)
      point.sparsity = zero_share(result.H, point.loss.norm);
    for (Index i = 0; i < result.H.rows(); ++i) {
      if (!result.H.row(i).isZero(0)) ++point.support_size;
      if (at.Z.row(i).squaredNorm() < at.Y.row(i).squaredNorm() * (1 - 1e-12)) ++point.weighted_rows;
    }
    point.eta = result.eta;
    point.status = result.status;
  }

  const KernelPCAParams& params_;
  const GramOperator& gram_;
  const GramFacts& facts_;
  const std::function<void(const PathPoint&)>& take_;
  const Observer& observe_;
  double trace_ = 0, square_error_ = 0;
  Index products_ = 0;
};

}  // namespace

PathParams::Over parse_path_over(std::string_view name) { return parse_name(over_names, "path over", name); }

void PathParams::validate(const LossParams& loss) const {
  if (loss.name == LossName::square)
    throw InvalidArgument("a path needs loss huber or epsilon_insensitive; the square loss has nothing to vary");
  const bool huber = loss.name == LossName::huber;
  if (over && huber == (*over == Over::epsilon))
    throw InvalidArgument(huber ? "a path over epsilon needs loss epsilon_insensitive, not huber"
                                : "a path over kappa needs loss huber, not epsilon_insensitive");
  const bool ratio = over == Over::kappa_ratio;
  for (const double value : values)
    if (!(value > 0 && std::isfinite(value) && (!ratio || value <= 1)))
      throw InvalidArgument(fmt::format("{} is {}; it must be {}",
                                        name_of(over_names, over.value_or(huber ? Over::kappa : Over::epsilon)), value,
                                        ratio ? "in (0, 1]" : "a positive number"));
  if (points < 1) throw InvalidArgument(fmt::format("points is {}; it must be at least 1", points));
}

bool fit_path(const KernelPCAParams& params, const PathParams& path, const SamplesView& X,
              const std::function<void(const PathPoint&)>& take, const Observer& observe) {
  if (params.n_components.fraction > 0)
    throw InvalidArgument("n_components is a share of the variance; a path needs a number of components");
  path.validate(params.loss);
  std::vector<Index> counts = path.n_components;
  if (counts.empty()) counts.push_back(params.n_components.count);
  KernelPCAParams widest = params;
  widest.n_components = *std::max_element(counts.begin(), counts.end());
  // The path sets kappa or epsilon.
  widest.loss = {.name = params.loss.name, .norm = params.loss.norm};
  if (widest.loss.name == LossName::epsilon_insensitive) widest.loss.epsilon = 1;
  const int threads = compute_threads(params.threads);
  const Samples checked = checked_training_samples(widest, X);
  const SamplesView& samples = checked.view();
  MemoryPlan plan = checked_plan(widest, samples);
  FittedModel model;
  (void)prepare_in_precision(model, widest, samples, X.cols(), plan, threads);  // a path has no place for a note
  const ModelGram gram = make_model_gram(widest, model, samples, model.rows, plan.precision, threads, observe);
  const GramFacts facts = gram_facts(widest, plan);
  widest.loss.epsilon.reset();
  PathRunner runner(widest, *gram.gram, facts, take, observe);
  for (const Index s : counts) {
    if (s < 1 || s > samples.rows())
      throw InvalidArgument(
          fmt::format("n_components is {}; with {} rows it must be in 1..{}", s, samples.rows(), samples.rows()));
    if (!runner.solve_for(s, path)) return false;
  }
  return true;
}

}  // namespace dualkpca
