#include "model/preimage/learn_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/median.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "model/preimage/ridge_choice.hpp"
#include "model/preimage/ridge_weights.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

constexpr int reweightings = 10;
constexpr Index most_copies = 3, rows_with_copies = 12000, rows_of_trial = 2000;

// Scores of the stored rows with noise on them, whose standard deviation is in units of the scaled columns.
Matrix noisy_scores(const FittedModel& model, const StoredRows& rows, double noise, std::uint64_t seed, int threads) {
  const Matrix X = rows.X + (noise * model.input.unit) * random_normal(rows.X.rows(), rows.X.cols(), seed);
  return project(model, model.input.reverted(X), threads);
}

double weighted_error(const Matrix& difference, const Vector& weights) {
  const double mean = weights.dot(Vector(difference.rowwise().squaredNorm())) / weights.sum();
  return std::sqrt(mean / static_cast<double>(difference.cols()));
}

// True if a ridge regression from the noisy scores errs less on unseen rows with noise than one from the scores without
// noise. Both learn from four of five rows of a sample; the fifth is the test.
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
    const RidgeMap map = solve_ridge({from, X, w, all}, rbf_kernel(choice.gamma), choice.alpha, true, threads);
    return weighted_error(unseen - map.apply(T, threads), v);
  };
  return error(noisy, aware) < error(rows.scores, plain);
}

// Learns the map: weights, a choice by leave-one-out, the solution, and the same again with noise.
class RidgeLearner {
 public:
  RidgeLearner(const FittedModel& model, const StoredRows& rows, const PreimageParams& wanted, int threads,
               const Observer& observe)
      : model_(model),
        rows_(rows),
        wanted_(wanted),
        kind_(resolve_weights(wanted.weights, model)),
        threads_(threads),
        observe_(observe),
        prior_(prior_weights(kind_, model, rows, wanted.seed, threads)),
        weights_(prior_) {}

  RidgeMap learn() {
    choice_ = choose(rows_.scores, prior_);
    RidgeMap map = solve(rows_.scores, rows_.X);
    if (reweighs(kind_)) {  // once more, with less weight on rows that fit badly
      choice_ = choose(rows_.scores, weights_);
      weights_ = prior_;
      map = solve(rows_.scores, rows_.X);
    }
    if (wanted_.noise > 0) learn_with_noise(map);
    return map;
  }

  void describe(PreimageReport& report, const RidgeMap& map) const {
    report.gamma = choice_.gamma;
    report.alpha = choice_.alpha;
    report.centers = map.centers.rows();
    report.loo_error = choice_.error / model_.input.unit;
    report.weights = kind_;
    report.noise = wanted_.noise;
    report.is_noise_aware = is_noise_aware_;
    if (is_robust()) report.weighted_rows = (weights_.head(rows_.X.rows()).array() < 0.5).count();
  }

 private:
  [[nodiscard]] bool is_robust() const { return kind_ != PreimageWeights::none; }

  void check_interrupt() const {
    if (observe_ && !observe_({.stage = Progress::Stage::inverse})) throw Interrupted(stopped_on_request);
  }

  [[nodiscard]] RidgeChoice choose(const Matrix& T, const Vector& weights) const {
    return choose_ridge(T, rows_.X, weights, is_robust(), {wanted_.gamma, wanted_.alpha, wanted_.seed}, threads_,
                        [this] { check_interrupt(); });
  }

  RidgeMap solve(const Matrix& T, const Matrix& X) {
    const std::vector<Index> centers = random_subset(T.rows(), wanted_.centers, wanted_.seed);
    if (reweighs(kind_)) return reweighted(T, X, centers);
    check_interrupt();
    return solve_ridge({T, X, weights_, centers}, rbf_kernel(choice_.gamma), choice_.alpha, true, threads_);
  }

  // Solves repeatedly with weights that fall with the residual of a row (Huber's function of its norm; 1.345 gives 95 %
  // efficiency with normal errors, 1.4826 turns a median into a standard deviation).
  RidgeMap reweighted(const Matrix& T, const Matrix& X, const std::vector<Index>& centers) {
    const Vector prior = weights_;
    RidgeMap map;
    for (int i = 0;; ++i) {
      check_interrupt();
      map = solve_ridge({T, X, weights_, centers}, rbf_kernel(choice_.gamma), choice_.alpha, true, threads_);
      if (i == reweightings) return map;
      const Vector off = (X - map.apply(T, threads_)).rowwise().norm();
      const double cut = 1.345 * 1.4826 * median(off);
      if (!(cut > 0)) return map;
      const Vector next = prior.array() * (cut / off.array().max(cut));
      const bool settled = (next - weights_).cwiseAbs().maxCoeff() < 1e-4;
      weights_ = next;
      if (settled) return map;
    }
  }

  // Noise moves all scores in one direction: a ridge regression learnt with noise errs less, unless there is hardly
  // any.
  void learn_with_noise(RidgeMap& map) {
    Matrix T = noisy_scores(model_, rows_, wanted_.noise, wanted_.seed + 1, threads_);
    const RidgeChoice aware = choose(T, prior_);
    if (!learns_from_noise(rows_, T, prior_, choice_, aware, wanted_.seed, threads_)) return;
    const Index n = rows_.X.rows(), copies = std::clamp<Index>(rows_with_copies / n, 1, most_copies);
    T.conservativeResize(copies * n, Eigen::NoChange);
    for (Index c = 1; c < copies; ++c)
      T.middleRows(c * n, n) =
          noisy_scores(model_, rows_, wanted_.noise, wanted_.seed + 1 + static_cast<std::uint64_t>(c), threads_);
    weights_ = prior_.replicate(copies, 1);
    choice_ = aware;
    is_noise_aware_ = true;
    map = solve(T, rows_.X.replicate(copies, 1));
  }

  const FittedModel& model_;
  const StoredRows& rows_;
  const PreimageParams& wanted_;
  PreimageWeights kind_;
  int threads_;
  const Observer& observe_;
  Vector prior_, weights_;
  RidgeChoice choice_{};
  bool is_noise_aware_ = false;
};

}  // namespace

RidgeMap learn_ridge(const FittedModel& model, const StoredRows& rows, const PreimageParams& wanted,
                     PreimageReport& report, int threads, const Observer& observe) {
  RidgeLearner learner(model, rows, wanted, threads, observe);
  RidgeMap map = learner.learn();
  learner.describe(report, map);
  return map;
}

}  // namespace dualkpca
