#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "solver/challenge.hpp"
#include "solver/dc_solver.hpp"
#include "solver/fill_result.hpp"
#include "solver/rotations.hpp"
#include "solver/solvers.hpp"
#include "solver/sparsity_search.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

constexpr Index starts_of_entries = 4, starts_of_rows = 2;

// Returns H without its zero columns: columns beyond the rank of G are zero and would stay zero.
Matrix nonzero_columns(const Matrix& H) {
  std::vector<Index> live;
  for (Index j = 0; j < H.cols(); ++j)
    if (H.col(j).squaredNorm() > 0) live.push_back(j);
  return H(Eigen::all, live);
}

// Returns true if the memory holds the pairs of the quasi-Newton steps, their products and the other matrices of a run.
bool pairs_fit_memory(const GramOperator& gram, Index columns, std::size_t memory) {
  const std::size_t matrix = static_cast<std::size_t>(gram.size() * columns) * sizeof(double);
  return memory == 0 || 40 * matrix <= memory;
}

// Returns 1 for small matrices, for which waking threads costs more than it saves.
int threads_for(const GramOperator& gram, Index s) { return gram.size() * s < 100000 ? 1 : gram.threads(); }

class LossSolver {
 public:
  LossSolver(const GramOperator& gram, Index s, const LossParams& loss, const SolverParams& params,
             const GramFacts& facts, const Observer& observe)
      : gram_(gram), s_(s), loss_(loss), params_(params), limits_(params, observe) {
    problem_ = {.loss = {.name = loss.name, .norm = loss.norm},
                .rule = rank_rule(gram),
                .acceleration = is_plain() ? Acceleration::none : Acceleration::quasi_newton,
                .threads = threads_for(gram, s),
                .noise = merit_noise(gram)};
    const Index columns = s * (loss.norm == Norm::entries ? starts_of_entries : starts_of_rows);
    if (!is_plain() && !pairs_fit_memory(gram, columns, facts.memory)) {
      problem_.acceleration = Acceleration::extrapolated;
      result_.notes.emplace_back(
          "the memory budget has no room for quasi-Newton steps, so the fit takes longer; raise memory");
    }
  }

  SolveResult solve(const std::optional<SolveResult>& square, const std::optional<Matrix>& warm) {
    if (warm) warm_ = *warm;
    if (square) {
      H_wide_ = nonzero_columns(square->H);
      H_square_ = H_wide_.leftCols(std::min(s_, H_wide_.cols()));
      result_.kappa_max = largest(H_square_, loss_.norm);
      // If s exceeds the rank of G, part of H does not enter the objective, and quasi-Newton steps in float32 let it
      // grow.
      if (H_wide_.cols() < s_ && !is_plain()) problem_.acceleration = Acceleration::extrapolated;
      result_.iterations = square->iterations;
    }
    const bool search = loss_.name == LossName::epsilon_insensitive && !loss_.epsilon;
    const DcOutcome solution = square && H_square_.cols() == 0 ? zero_solution()
                               : search                        ? solve_sparsity()
                                                               : solve_parameter();
    result_.status = solution.status;
    result_.stop_reason = solution.stop_reason;
    result_.message = solution.message;
    result_.starts = solution.starts;
    note_degenerate(solution);
    result_.loss = problem_.loss;
    result_.H = padded(solution.H);
    result_.GH = padded(solution.GH);
    result_.eta = solution.eta;
    result_.eta_kind = EtaKind::stationary;
    result_.dual_objective = solution.at.dual;
    result_.primal_objective = solution.at.value;
    result_.solver = is_plain() ? SolverName::dca : SolverName::panoc;
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_plain() const { return params_.name == SolverName::dca; }

  [[nodiscard]] Matrix padded(const Matrix& H) const {
    Matrix wide = Matrix::Zero(gram_.size(), s_);
    wide.leftCols(H.cols()) = H;
    return wide;
  }

  // G is zero, and so is every solution.
  [[nodiscard]] DcOutcome zero_solution() const {
    const Matrix none(gram_.size(), 0);
    return {.H = none, .GH = none, .at = {.Y = none, .Z = none}};
  }

  DcOutcome run(std::vector<NamedStart> starts, double tol) {
    DcOutcome outcome = run_dc(gram_, problem_, std::move(starts), tol, params_.max_iter, limits_, result_.iterations);
    result_.iterations += outcome.iterations;
    return outcome;
  }

  // Returns a bound on the scores: |y_i| <= sqrt(g_ii) whatever the directions are, and |Y|_F^2 <= tr G.
  [[nodiscard]] double largest_score() const {
    const Vector diagonal = gram_.diagonal();
    return std::sqrt(std::max(0.0, loss_.norm == Norm::frobenius ? diagonal.sum() : diagonal.maxCoeff()));
  }

  // Compares `value` with the size of a feature; products with smaller values would leave the range of the numbers.
  void require_above_rounding(const char* name, double value) const {
    const double least = 1e-12 * std::sqrt(gram_.scale());
    if (value < least)
      throw InvalidArgument(fmt::format("{} is {:.3g}, less than rounding: with these data it must be at least {:.2g}",
                                        name, value, least));
  }

  // Returns a start from the solution for a nearby kappa or epsilon: clipped again for huber, else unchanged, since
  // shrinking it twice might leave nothing.
  [[nodiscard]] Matrix warm_start(const Matrix& H) const {
    return loss_.name == LossName::huber ? problem_.loss.prox(H) : H;
  }

  // Returns the starting points. The square-loss solution is its own Y, so its prox is the first step of the DC
  // algorithm, and it costs no product.
  [[nodiscard]] std::vector<NamedStart> first_points() const {
    if (H_square_.cols() == 0) return {{"random", random_normal(gram_.size(), s_, params_.seed)}};
    if (is_plain()) return {{"square loss", H_square_}};
    std::vector<NamedStart> points;
    // A warm start that has lost columns would not regain them.
    if (warm_.cols() > 0 && nonzero_columns(warm_).cols() == (loss_.norm == Norm::entries ? s_ : H_square_.cols()))
      points.push_back({"warm", warm_start(nonzero_columns(warm_))});
    const bool sparse_rows = loss_.name == LossName::epsilon_insensitive && loss_.norm == Norm::rows;
    if (loss_.norm != Norm::entries && !sparse_rows) {
      points.push_back({"square loss", problem_.loss.prox(H_square_)});
      return points;
    }
    const Index columns = sparse_rows ? H_square_.cols() : s_;
    const Index count = (sparse_rows ? starts_of_rows : starts_of_entries) - static_cast<Index>(points.size());
    for (RotatedStart& start : rotated_starts(H_wide_, columns, problem_.loss, count, params_.seed, problem_.threads))
      points.push_back({std::move(start.name), full_rank_start(start.H)});
    return points;
  }

  // Returns prox(H), with a smaller epsilon if the given one leaves too few rows to span all columns: a column that is
  // lost at the start stays lost, although the largest rows alone could keep it.
  [[nodiscard]] Matrix full_rank_start(const Matrix& H) const {
    Matrix first = problem_.loss.prox(H);
    if (loss_.name != LossName::epsilon_insensitive) return first;
    const Index least = std::min(gram_.size(), 2 * H.cols());
    if ((first.rowwise().squaredNorm().array() > 0).count() >= least) return first;
    std::vector<double> sizes = sizes_of(H, Norm::rows);
    std::nth_element(sizes.begin(), sizes.begin() + (least - 1), sizes.end(), std::greater<>());
    const Loss smaller{LossName::epsilon_insensitive, Norm::rows, 0.99 * sizes[static_cast<std::size_t>(least - 1)]};
    return smaller.prox(H);
  }

  DcOutcome solve_parameter() {
    if (loss_.name == LossName::huber) {
      problem_.loss.parameter = loss_.kappa ? *loss_.kappa : loss_.share_of_kappa_max() * result_.kappa_max.value();
      require_above_rounding("kappa", problem_.loss.parameter);
    }
    if (loss_.name == LossName::epsilon_insensitive) {
      problem_.loss.parameter = *loss_.epsilon;
      require_above_rounding("epsilon", problem_.loss.parameter);
    }
    return run(first_points(), params_.tol);
  }

  DcOutcome solve_sparsity() {
    const SparsityTarget target{.norm = loss_.norm,
                                .share = loss_.sparsity.value_or(LossParams::default_sparsity),
                                .tol = params_.tol,
                                .largest = largest_score()};
    const SolveAt solve_at = [&](double epsilon, const Matrix& last, bool only_last, double tol) {
      problem_.loss.parameter = epsilon;
      if (only_last) return run({{"warm", last}}, tol);
      warm_ = last;
      return run(first_points(), tol);
    };
    const SparsityFound found = search_sparsity(target, H_square_, solve_at);
    problem_.loss.parameter = found.epsilon;
    if (found.solution.H.size() == 0) return zero_solution();  // the scores are rounding
    if (!found.is_met && !found.solution.is_interrupted() && found.solution.status != Status::iteration_limit)
      result_.notes.push_back(
          fmt::format("sparsity {:.4g} cannot be reached: epsilon {:.6g} gives {:.4g}; the nearest values found are "
                      "{:.4g} below and {:.4g} above",
                      target.share, found.epsilon, found.share, found.share_below, found.share_above));
    return found.solution;
  }

  void note_degenerate(const DcOutcome& solution) {
    const Loss& loss = problem_.loss;
    if (loss.name == LossName::epsilon_insensitive && solution.H.size() > 0 && solution.H.isZero(0))
      throw InvalidArgument(
          fmt::format("epsilon is {:.6g}, which makes everything zero; use a smaller one: {} has no score above "
                      "{:.6g}, and no score can exceed {:.6g}",
                      loss.parameter, H_square_.cols() > 0 ? "the square-loss solution" : "the random start of dca",
                      H_square_.cols() > 0 ? *result_.kappa_max : loss.parameter, largest_score()));
    if (loss.name != LossName::huber || solution.H.size() == 0) return;
    if (largest(solution.at.Y, loss.norm) <= loss.parameter * (1 + 1e-9))
      result_.notes.push_back(
          fmt::format("kappa {:.6g} clips nothing, so this is the solution for the square loss", loss.parameter));
    const bool all = loss.norm == Norm::rows
                         ? solution.at.Y.rowwise().norm().minCoeff() > loss.parameter
                         : loss.norm == Norm::entries && solution.at.Y.cwiseAbs().minCoeff() > loss.parameter;
    if (all)
      result_.notes.push_back(
          fmt::format("kappa {:.6g} clips every {}, so only the {} count; a larger kappa keeps more of the data",
                      loss.parameter, loss.norm == Norm::rows ? "row" : "entry",
                      loss.norm == Norm::rows ? "directions of the rows" : "signs of the entries"));
  }

  const GramOperator& gram_;
  Index s_;
  const LossParams& loss_;
  const SolverParams& params_;
  RunLimits limits_;
  DcRun::Problem problem_{};
  Matrix warm_{};
  Matrix H_wide_{};    // square-loss scores, of more than s components if the starts use them
  Matrix H_square_{};  // at most the first s of them
  SolveResult result_{};
};

}  // namespace

SolveResult solve_loss(const GramOperator& gram, Index s, const LossParams& loss, const SolverParams& params,
                       const std::optional<SolveResult>& square, const GramFacts& facts, const Observer& observe,
                       const std::optional<Matrix>& warm) {
  loss.validate();
  params.validate();
  const BlasThreadGuard one_blas_thread;
  SolveResult result = LossSolver(gram, s, loss, params, facts, observe).solve(square, warm);
  reconcile(result, params, gram.precision());
  if (!result.H.allFinite() || !result.GH.allFinite())
    throw DataError("the numbers of this fit leave the range of float64: scale the data");
  return result;
}

SolveResult solve_dc_square(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe) {
  const BlasThreadGuard one_blas_thread;
  const RunLimits limits(params, observe);
  SolveResult result;
  const DcRun::Problem problem{
      .loss = {},
      .rule = rank_rule(gram),
      .acceleration = params.name == SolverName::dca ? Acceleration::none : Acceleration::quasi_newton,
      .threads = threads_for(gram, s),
      .noise = merit_noise(gram)};
  // The first step is made here: a random subspace shows negative eigenvalues, and later steps turn away from them.
  const Matrix first = random_normal(gram.size(), s, params.seed);
  Matrix product(first.rows(), first.cols());
  gram.apply(first, product);
  const RitzPoint seen = ritz_point(first, product, problem.rule);
  require_positive(seen.lowest, seen.theta.size() > 0 ? seen.theta[0] : 0, problem.rule);
  Merit at = evaluate_merit(first, product, problem.loss, problem.rule, problem.threads);
  Challenge challenge(gram, s, params, limits);
  NamedStart start{"random", std::move(at.Z)};
  DcOutcome outcome;
  double goal = params.tol;  // eta at which the solution is challenged
  while (true) {
    const Index before = result.iterations;
    outcome = run_dc(gram, problem, {start}, goal, std::max<Index>(1, params.max_iter - before), limits, before);
    result.iterations += outcome.iterations + 1;
    if (outcome.status != Status::converged) break;
    std::optional<RitzPoint> better = challenge.better_than(outcome.H, outcome.GH, result.iterations);
    if (better) {
      start = {"challenger", std::move(better->H)};
    } else {
      goal = challenge.goal(outcome.eta);
      if (params.tol == 0 || outcome.eta <= goal) break;
      start = {"challenged", outcome.H};
    }
  }
  result.status = outcome.status;
  result.stop_reason = outcome.stop_reason;
  result.message = outcome.message;
  const RitzPoint best = final_point(gram, outcome.H, outcome.GH, problem.rule);
  fill_result(result, best.H, best.GH, s, problem.rule);
  result.eta = std::max(result.eta, challenge.eta());
  result.next_value = challenge.next_value();
  return result;
}

}  // namespace dualkpca
