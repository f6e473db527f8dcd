#include "model/preimage/learn_ridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/median.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "model/preimage/preimage.hpp"
#include "model/preimage/ridge_choice.hpp"
#include "model/rows/all_rows.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

constexpr int reweightings = 10;
constexpr Index most_copies = 3, rows_with_copies = 12000, rows_of_trial = 2000;

PreimageWeights resolve_weights(PreimageWeights wanted, const KernelPCAParams& params) {
  if (wanted != PreimageWeights::automatic) return wanted;
  if (params.loss.name != LossName::huber) return PreimageWeights::none;
  return is_shift_invariant(params.kernel.name) ? PreimageWeights::density : PreimageWeights::huber;
}

// Of rows that few others are near: their features are nearly orthogonal to all others, so that their scores say
// nothing of where they are, and every far row has the same.
Vector density_weights(const FittedModel& model, const KernelPCAParams& params, const StoredRows& rows,
                       std::uint64_t seed, int threads) {
  const Index n = rows.X.rows();
  const std::vector<Index> sample = random_subset(n, rows_of_trial, seed);
  const Matrix some = rows.X(sample, Eigen::all);
  Vector near = Vector::Zero(n);
  constexpr Index block = 4096;  // so that memory does not grow with the square of the rows
  for (Index first = 0; first < n; first += block) {
    const Index count = std::min(block, n - first);
    near.segment(first, count) =
        kernel_matrix(kernel_of_fit(model, params.kernel), rows.X.middleRows(first, count), some, threads)
            .rowwise()
            .sum();
  }
  near(sample).array() -= 1;  // itself
  near = near.cwiseMax(0);
  const double typical = 0.1 * median(near);
  if (!(typical > 0)) return Vector::Ones(n);
  return (near / typical).cwiseAbs2().cwiseMin(1);
}

// One for each of the rows that the pre-images are learnt from: those that the model holds, or all training rows.
Vector dual_weights(const FittedModel& model, Index rows) {
  if (model.weights.size() == rows) return model.weights;
  if (model.report.n_samples == rows) return all_row_weights(model);
  throw InvalidArgument(
      fmt::format("preimage_weights dual knows the weights of the {} training rows; {} rows are given",
                  model.report.n_samples, rows));
}

// Before any residual is known.
Vector prior_weights(PreimageWeights kind, const FittedModel& model, const KernelPCAParams& params,
                     const StoredRows& rows, std::uint64_t seed, int threads) {
  Vector ones = Vector::Ones(rows.X.rows());
  switch (kind) {
    case PreimageWeights::density: return density_weights(model, params, rows, seed, threads);
    case PreimageWeights::huber_spe: {
      const double typical = 1.5 * median(rows.spe);
      if (!(typical > 0)) return ones;
      return (typical / rows.spe.array().max(typical)).pow(4);
    }
    case PreimageWeights::dual: return dual_weights(model, rows.X.rows());
    default: return ones;
  }
}

// Weights that fall with what a row is off by, again and again (Huber's function of the norm of the residual; 1.345
// gives 95 % efficiency with normal errors, 1.4826 makes of a median a standard deviation).
RidgeMap reweighted(const RidgeProblem& problem, const ResolvedKernel& kernel, double alpha, Vector& weights,
                    int threads, const std::function<void()>& check_interrupt) {
  const Vector prior = weights;
  RidgeMap map;
  for (int i = 0;; ++i) {
    check_interrupt();
    map = solve_ridge({problem.T, problem.X, weights, problem.centers}, kernel, alpha, true, threads);
    if (i == reweightings) return map;
    const Vector off = (problem.X - map.apply(problem.T, threads)).rowwise().norm();
    const double cut = 1.345 * 1.4826 * median(off);
    if (!(cut > 0)) return map;
    const Vector next = prior.array() * (cut / off.array().max(cut));
    const bool settled = (next - weights).cwiseAbs().maxCoeff() < 1e-4;
    weights = next;
    if (settled) return map;
  }
}

// Scores of the stored rows with noise on them.
Matrix noisy_scores(const FittedModel& model, const KernelPCAParams& params, const StoredRows& rows, double noise,
                    std::uint64_t seed, int threads) {
  const Matrix X = rows.X + noise * random_normal(rows.X.rows(), rows.X.cols(), seed);
  return project(model, params.kernel, original_rows(model, X), threads);
}

double weighted_error(const Matrix& difference, const Vector& weights) {
  const double mean = weights.dot(Vector(difference.rowwise().squaredNorm())) / weights.sum();
  return std::sqrt(mean / static_cast<double>(difference.cols()));
}

// Whether a ridge from the noisy scores errs less on rows it has not seen, with noise on them, than one from the scores
// without noise: both learn from four of five rows of a sample, and the fifth tells.
bool learns_from_noise(const StoredRows& rows, const Matrix& noisy, const Vector& weights, const RidgeChoice& plain,
                       const RidgeChoice& aware, std::uint64_t seed, int threads) {
  std::vector<Index> learn, test;
  for (const Index i : random_subset(rows.X.rows(), rows_of_trial, seed))
    (learn.size() >= 4 * (test.size() + 1) ? test : learn).push_back(i);
  if (test.empty()) return true;
  std::vector<Index> all(learn.size());
  std::iota(all.begin(), all.end(), Index{0});
  const Matrix X = rows.X(learn, Eigen::all), unseen = rows.X(test, Eigen::all), T = noisy(test, Eigen::all);
  const Vector w = weights(learn), v = weights(test);
  const auto error = [&](const Matrix& scores, const RidgeChoice& choice) {
    const Matrix from = scores(learn, Eigen::all);
    const RidgeMap map =
        solve_ridge({from, X, w, all}, {KernelName::rbf, choice.gamma, 1, 0}, choice.alpha, true, threads);
    return weighted_error(unseen - map.apply(T, threads), v);
  };
  return error(noisy, aware) < error(rows.scores, plain);
}

}  // namespace

RidgeMap learn_ridge(const FittedModel& model, const KernelPCAParams& params, const StoredRows& rows,
                     const PreimageParams& wanted, PreimageReport& report, int threads, const Observer& observe) {
  const PreimageWeights kind = resolve_weights(wanted.weights, params);
  const bool robust = kind != PreimageWeights::none;
  const bool reweighs = kind == PreimageWeights::huber || kind == PreimageWeights::huber_spe;
  const Vector prior = prior_weights(kind, model, params, rows, wanted.seed, threads);
  const RidgeConstraints wish{wanted.gamma, wanted.alpha, wanted.seed};
  const auto check_interrupt = [&] {
    if (observe && !observe({.stage = Progress::Stage::inverse})) throw Interrupted(stopped_on_request);
  };

  RidgeChoice choice = choose_ridge(rows.scores, rows.X, prior, robust, wish, threads, check_interrupt);
  Vector weights = prior;
  const auto solve = [&](const Matrix& T, const Matrix& X) {
    const std::vector<Index> centers = random_subset(T.rows(), wanted.centers, wanted.seed);
    const ResolvedKernel kernel{KernelName::rbf, choice.gamma, 1, 0};
    if (reweighs) return reweighted({T, X, weights, centers}, kernel, choice.alpha, weights, threads, check_interrupt);
    check_interrupt();
    return solve_ridge({T, X, weights, centers}, kernel, choice.alpha, true, threads);
  };
  RidgeMap map = solve(rows.scores, rows.X);
  if (reweighs) {  // once more, without what is now known to be far off
    choice = choose_ridge(rows.scores, rows.X, weights, robust, wish, threads, check_interrupt);
    weights = prior;
    map = solve(rows.scores, rows.X);
  }

  if (wanted.noise > 0) {
    // Noise moves scores, and all in one direction: a ridge that has seen it errs less, unless there is hardly any.
    Matrix T = noisy_scores(model, params, rows, wanted.noise, wanted.seed + 1, threads), X = rows.X;
    const RidgeChoice aware = choose_ridge(T, X, prior, robust, wish, threads, check_interrupt);
    if (learns_from_noise(rows, T, prior, choice, aware, wanted.seed, threads)) {
      const Index n = X.rows(), copies = std::clamp<Index>(rows_with_copies / n, 1, most_copies);
      T.conservativeResize(copies * n, Eigen::NoChange);
      for (Index c = 1; c < copies; ++c)
        T.middleRows(c * n, n) =
            noisy_scores(model, params, rows, wanted.noise, wanted.seed + 1 + static_cast<std::uint64_t>(c), threads);
      weights = prior.replicate(copies, 1);
      choice = aware;
      report.is_noise_aware = true;
      map = solve(T, rows.X.replicate(copies, 1));
    }
  }
  report.gamma = choice.gamma;
  report.alpha = choice.alpha;
  report.centers = map.centers.rows();
  report.loo_error = choice.error;
  report.weights = to_string(kind);
  report.noise = wanted.noise;
  if (robust) report.weighted_rows = (weights.head(rows.X.rows()).array() < 0.5).count();
  return map;
}

}  // namespace dualkpca
