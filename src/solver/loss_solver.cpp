#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "solver/dc_solver.hpp"
#include "solver/finish.hpp"
#include "solver/rotations.hpp"
#include "solver/sparsity_search.hpp"

namespace dualkpca {
namespace {

constexpr Index starts_of_entries = 4;

// Columns beyond the rank of G are zero, and would stay so.
Matrix live_columns(const Matrix& H) {
  std::vector<Index> live;
  for (Index j = 0; j < H.cols(); ++j)
    if (H.col(j).squaredNorm() > 0) live.push_back(j);
  return H(Eigen::all, live);
}

// Pairs and images of the quasi-Newton steps, and what a run works with besides.
bool pairs_fit(const GramOperator& gram, Index columns, std::size_t memory) {
  const std::size_t matrix = static_cast<std::size_t>(gram.size() * columns) * sizeof(double);
  return memory == 0 || 40 * matrix <= memory;
}

void require_something_left(double epsilon, double largest_size, Norm norm) {
  if (epsilon < largest_size) return;
  throw InvalidArgument(fmt::format(
      "epsilon is {:.6g}, which makes everything zero: the largest {} of the square-loss solution is {:.6g}", epsilon,
      norm == Norm::rows      ? "row"
      : norm == Norm::entries ? "entry"
                              : "norm",
      largest_size));
}

// Waking threads costs more than small matrices take.
int threads_for(const GramOperator& gram, Index s) { return gram.size() * s < 100000 ? 1 : gram.threads(); }

class LossSolver {
 public:
  LossSolver(const GramOperator& gram, Index s, const LossParams& loss, const SolverParams& params,
             const Observer& observe)
      : gram_(gram), s_(s), loss_(loss), params_(params), limits_(params, observe) {
    problem_ = {.loss = {.name = loss.name, .norm = loss.norm},
                .rule = rank_rule(gram),
                .acceleration = is_plain() ? Acceleration::none : Acceleration::quasi_newton,
                .threads = threads_for(gram, s)};
    const Index columns = loss.norm == Norm::entries ? starts_of_entries * s : s;
    if (!is_plain() && !pairs_fit(gram, columns, params.memory)) {
      problem_.acceleration = Acceleration::extrapolated;
      result_.notes.emplace_back("the memory budget has no room for quasi-Newton steps, so that it takes longer");
    }
  }

  SolveResult solve(const std::optional<SolveResult>& square, const std::optional<Matrix>& warm) {
    if (warm) warm_ = live_columns(*warm);
    if (square) {
      H_wide_ = live_columns(square->H);
      H_square_ = H_wide_.leftCols(std::min(s_, H_wide_.cols()));
      result_.kappa_max = largest(H_square_, loss_.norm);
      result_.iterations = square->iterations;
    }
    const bool search = loss_.name == LossName::epsilon_insensitive && !loss_.epsilon;
    const DcOutcome solution = square && H_square_.cols() == 0 ? zero() : search ? solve_sparsity() : solve_number();
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
  [[nodiscard]] DcOutcome zero() const {
    const Matrix none(gram_.size(), 0);
    return {.H = none, .GH = none, .at = {.Y = none, .Z = none}};
  }

  DcOutcome run(std::vector<NamedStart> starts, double tol) {
    return run_dc(gram_, problem_, std::move(starts), tol, params_.max_iter, limits_, result_);
  }

  // A solution for a nearby number: clipped again, or as it is, since shrinking it twice might leave nothing.
  [[nodiscard]] Matrix nearby(const Matrix& H) const {
    return loss_.name == LossName::huber ? problem_.loss.prox(H) : H;
  }

  // The points to begin with. The square-loss solution is its own Y, so that prox of it is the first step of the DC
  // algorithm, without a product.
  [[nodiscard]] std::vector<NamedStart> first_points() const {
    if (is_plain()) return {{"random", random_normal(gram_.size(), s_, params_.seed)}};
    std::vector<NamedStart> points;
    if (warm_.cols() == H_square_.cols() || (warm_.cols() == s_ && loss_.norm == Norm::entries))
      points.push_back({"warm", nearby(warm_)});
    if (loss_.norm != Norm::entries) {
      if (points.empty()) points.push_back({"square loss", problem_.loss.prox(H_square_)});
      return points;
    }
    for (RotatedStart& start :
         rotated_starts(H_wide_, s_, problem_.loss, starts_of_entries, params_.seed, problem_.threads))
      points.push_back({std::move(start.name), problem_.loss.prox(start.H)});
    return points;
  }

  DcOutcome solve_number() {
    if (loss_.name == LossName::huber)
      problem_.loss.parameter =
          loss_.kappa ? *loss_.kappa
                      : loss_.kappa_ratio.value_or(LossParams::default_kappa_ratio) * result_.kappa_max.value();
    if (loss_.name == LossName::epsilon_insensitive) {
      problem_.loss.parameter = *loss_.epsilon;
      if (result_.kappa_max) require_something_left(*loss_.epsilon, *result_.kappa_max, loss_.norm);
    }
    return run(first_points(), params_.tol);
  }

  DcOutcome solve_sparsity() {
    const SparsityTarget target{.norm = loss_.norm,
                                .share = loss_.sparsity.value_or(LossParams::default_sparsity),
                                .tol = params_.tol,
                                .columns = s_,
                                .largest = result_.kappa_max.value()};
    bool first = true;
    const SolveAt solve_at = [&](double epsilon, const Matrix& start, double tol) {
      problem_.loss.parameter = epsilon;
      result_.status = Status::converged;
      result_.message.clear();
      std::vector<NamedStart> points = first ? first_points() : std::vector<NamedStart>{{"warm", start}};
      std::vector<StartReport> earlier = std::move(result_.starts);
      result_.starts.clear();
      DcOutcome outcome = run(std::move(points), tol);
      if (!first) result_.starts = std::move(earlier);  // those that were chosen between
      first = false;
      return outcome;
    };
    const SparsityFound found =
        search_sparsity(target, H_square_, solve_at, [&] { return result_.status != Status::converged; });
    problem_.loss.parameter = found.epsilon;
    if (!found.is_met)
      result_.notes.push_back(
          fmt::format("a sparsity of {:.4g} cannot be reached: epsilon {:.6g} gives {:.4g}, and the nearest seen on "
                      "both sides are {:.4g} and {:.4g}",
                      target.share, found.epsilon, found.share, found.share_below, found.share_above));
    return found.solution;
  }

  void note_degenerate(const DcOutcome& solution) {
    const Loss& loss = problem_.loss;
    if (loss.name == LossName::epsilon_insensitive && solution.H.size() > 0 && solution.H.isZero(0)) {
      result_.status = Status::stopped;
      result_.message = "everything became zero: epsilon is above all that the start has";
    }
    if (loss.name != LossName::huber || solution.H.size() == 0) return;
    if (largest(solution.at.Y, loss.norm) <= loss.parameter * (1 + 1e-9))
      result_.notes.push_back(
          fmt::format("kappa {:.6g} clips nothing, so that this is the solution for the square loss", loss.parameter));
    const bool all = loss.norm == Norm::rows
                         ? solution.at.Y.rowwise().norm().minCoeff() > loss.parameter
                         : loss.norm == Norm::entries && solution.at.Y.cwiseAbs().minCoeff() > loss.parameter;
    if (all)
      result_.notes.push_back(fmt::format(
          "kappa {:.6g} clips every {}, so that only {} count: a larger one keeps more of the data", loss.parameter,
          loss.norm == Norm::rows ? "row" : "entry", loss.norm == Norm::rows ? "directions" : "signs"));
  }

  const GramOperator& gram_;
  Index s_;
  const LossParams& loss_;
  const SolverParams& params_;
  Limits limits_;
  DcRun::Problem problem_{};
  Matrix warm_{};
  Matrix H_wide_{};    // square-loss scores, and those of more components for the starts
  Matrix H_square_{};  // the first s of them at most
  SolveResult result_{};
};

}  // namespace

SolveResult solve_loss(const GramOperator& gram, Index s, const LossParams& loss, const SolverParams& params,
                       const std::optional<SolveResult>& square, const Observer& observe,
                       const std::optional<Matrix>& warm) {
  loss.validate();
  params.validate();
  const BlasThreadGuard one_blas_thread;
  SolveResult result = LossSolver(gram, s, loss, params, observe).solve(square, warm);
  if (!result.H.allFinite() || !result.GH.allFinite())
    throw DataError("the numbers of this fit leave the range of float64: scale the data");
  return result;
}

SolveResult solve_dc_square(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe) {
  const BlasThreadGuard one_blas_thread;
  const Limits limits(params, observe);
  SolveResult result;
  const DcRun::Problem problem{
      .loss = {},
      .rule = rank_rule(gram),
      .acceleration = params.name == SolverName::dca ? Acceleration::none : Acceleration::quasi_newton,
      .threads = threads_for(gram, s)};
  const DcOutcome outcome = run_dc(gram, problem, {{"random", random_normal(gram.size(), s, params.seed)}}, params.tol,
                                   params.max_iter, limits, result);
  const RitzPoint best = ritz_point(outcome.H, outcome.GH, problem.rule);
  require_positive(best.lowest, best.theta.size() > 0 ? best.theta[0] : 0, problem.rule);
  finish(result, best.H, best.GH, s, problem.rule);
  return result;
}

}  // namespace dualkpca
