#include <bit>
#include <cmath>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "solver/challenge.hpp"
#include "solver/fill_result.hpp"
#include "solver/lbfgs_history.hpp"
#include "solver/solvers.hpp"
#include "solver/stopping.hpp"
#include "solver/wolfe.hpp"

namespace dualkpca {
namespace {

constexpr std::size_t history_size = 10;  // scipy's default, which the paper's experiments use
// Ritz values of a random start are about tr G / n, however large the eigenvalues are, and have smaller rounding
// errors. The rule for eigenvalues tells small components from rounding only after some iterations.
constexpr Index first_rank_check = 8;

RankRule rule_of_start(const RankRule& strict, Index s, Index n) {
  const double share = static_cast<double>(s) / static_cast<double>(n);
  return {.relative = strict.relative / 16, .absolute = strict.absolute * std::sqrt(share)};
}

class LbfgsSolver {
 public:
  LbfgsSolver(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe)
      : gram_(gram),
        s_(s),
        params_(params),
        limits_(params, observe),
        strict_(rank_rule(gram)),
        rule_(rule_of_start(strict_, s, gram.size())),
        challenge_(gram, s, params, limits_),
        goal_(params.tol) {}

  SolveResult run() {
    start();
    for (; H_.cols() > 0; ++result_.iterations) {
      if (has_to_stop() && !may_go_on()) break;
      if (std::has_single_bit(static_cast<std::size_t>(result_.iterations))) turn_columns();
      if (H_.cols() == 0) break;
      step();
    }
    const RitzPoint best = final_point(gram_, H_, GH_, strict_);
    fill_result(result_, best.H, best.GH, s_, strict_);
    result_.eta = std::max(result_.eta, challenge_.eta());
    result_.next_value = challenge_.next_value();
    return std::move(result_);
  }

 private:
  // Starts at the best H in the range of random columns. It needs no further product, and its columns are graded like
  // the eigenvalues, so small components are not lost in the rounding of large ones. H has fewer than s columns if G
  // has a smaller rank.
  void start() {
    const Matrix random = random_normal(gram_.size(), s_, params_.seed);
    Matrix product(gram_.size(), s_);
    gram_.apply(random, product);
    RitzPoint best = ritz_point(random, product, rule_);
    require_positive(best.lowest, best.theta.size() > 0 ? best.theta[0] : 0, strict_);
    H_ = std::move(best.H);
    GH_ = std::move(best.GH);
    at_ = evaluate_dual(H_, GH_, rule_);
  }

  // True if eta is small enough, or if something else ends the run; the result then says why.
  [[nodiscard]] bool has_to_stop() {
    const double eta = estimate_eta(H_, at_.Y);
    if (eta <= goal_) return true;
    if (stall_.reached(eta, at_.value, dual_rounding(at_.value, gram_, strict_, s_))) {
      if (params_.tol > 0) stop_by_rounding(result_, eta, gram_.precision());
      return true;
    }
    if (result_.iterations == params_.max_iter) {
      result_.status = Status::iteration_limit;
      return true;
    }
    return limits_.reached(result_.iterations, eta, result_);
  }

  // A point that looks converged may have missed components, and its eta may be larger than it seemed. Returns true if
  // so; the run goes on, from a better point if there is one.
  [[nodiscard]] bool may_go_on() {
    if (result_.status != Status::converged) return false;
    const double seen = estimate_eta(H_, at_.Y);
    std::optional<RitzPoint> better = challenge_.better_than(H_, GH_, result_.iterations);
    if (!better) {
      goal_ = challenge_.goal(seen);
      return params_.tol > 0 && seen > goal_;
    }
    H_ = std::move(better->H);
    GH_ = std::move(better->GH);
    at_ = evaluate_dual(H_, GH_, rule_);
    history_.clear();
    stall_ = {};
    return true;
  }

  // d and L-BFGS are invariant under H <- H R with R orthogonal. Turning the columns towards the eigenvectors of S now
  // and then keeps them graded, and drops those that turned out to be rounding.
  void turn_columns() {
    if (result_.iterations >= first_rank_check) {
      rule_ = strict_;
      at_ = evaluate_dual(H_, GH_, rule_);
    }
    const Matrix R = at_.root.vectors;
    H_ = times(H_, R);
    GH_ = times(GH_, R);
    history_.rotate(R);
    at_ = evaluate_dual(H_, GH_, rule_);
  }

  void step() {
    const Matrix gradient = H_ - at_.Y;
    Matrix D = history_.direction(gradient);
    if (!(D.cwiseProduct(gradient).sum() < 0)) {
      history_.clear();
      D = -gradient;
    }
    Matrix GD(D.rows(), D.cols());
    gram_.apply(D, GD);
    const DualLine line(H_, GH_, D, GD, rule_);
    const double a = wolfe_step(line, line.at(0)).value_or(1.0);  // with D = -gradient, 1 is a step of the DC algorithm
    H_ += a * D;
    GH_ += a * GD;
    at_ = evaluate_dual(H_, GH_, rule_);
    history_.push(a * D, (H_ - at_.Y) - gradient);
  }

  const GramOperator& gram_;
  Index s_;
  const SolverParams& params_;
  RunLimits limits_;
  RankRule strict_, rule_;  // the rule for eigenvalues, and the one in force
  LbfgsHistory history_{history_size};
  DualStall stall_{};
  Challenge challenge_;
  double goal_;  // eta at which the solution is challenged
  Matrix H_{}, GH_{};
  DualEvaluation at_{};  // at H_
  SolveResult result_{};
};

}  // namespace

SolveResult solve_lbfgs(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe) {
  const BlasThreadGuard one_blas_thread;  // waking BLAS's own threads would cost more than the small products
  return LbfgsSolver(gram, s, params, observe).run();
}

}  // namespace dualkpca
