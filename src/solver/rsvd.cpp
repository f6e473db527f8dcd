
#include "core/decompositions.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "solver/challenge.hpp"
#include "solver/fill_result.hpp"
#include "solver/solvers.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {

SolveResult solve_rsvd(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe) {
  const RunLimits limits(params, observe);
  const BlasThreadGuard one_blas_thread;
  const RankRule rule = rank_rule(gram);
  const Index n = gram.size(), width = std::min(n, s + params.oversampling);
  const Index last = params.power_iterations.value_or(params.max_iter);
  SolveResult result;
  DualStall stall;
  Challenge challenge(gram, s, params, limits);
  double goal = params.tol;  // eta at which the solution is challenged
  Matrix Z(n, width);
  gram.apply(random_normal(n, width, params.seed), Z);
  for (Index q = 0;; ++q) {
    const Matrix Q = orthonormal_columns(Z);
    gram.apply(Q, Z);
    const RitzPoint ritz = ritz_point(Q, Z, rule);
    const Index rank = std::min(s, ritz.theta.size());
    // The basis finds the eigenvalues of largest magnitude. If one of them is negative, the s positive ones may be
    // incomplete.
    if (rank < s || -ritz.lowest > ritz.theta[s - 1]) require_positive(ritz.lowest, rank > 0 ? ritz.theta[0] : 0, rule);
    fill_result(result, ritz.H.leftCols(rank), ritz.GH.leftCols(rank), s, rule);
    result.iterations = q;
    const bool ends = params.power_iterations && q == last;
    if (result.eta <= goal && (ends || !params.power_iterations)) {
      const std::optional<RitzPoint> better = challenge.better_than(ritz.H.leftCols(rank), ritz.GH.leftCols(rank), q);
      if (!better) goal = std::min(goal, challenge.goal(result.eta));
      if (!better && (result.eta <= goal || ends)) break;
      if (better) Z = better->GH;
      if (better && ends) fill_result(result, better->H, better->GH, s, rule);
    }
    if (ends && params.tol == 0 && result.eta <= enough_eta(params, gram.precision())) break;
    if (q == last) {
      result.status = Status::iteration_limit;
      if (params.power_iterations) result.message = "eta is above tol; use more power_iterations or more oversampling";
      break;
    }
    if (!params.power_iterations &&
        stall.reached(result.eta, result.dual_objective, dual_rounding(result.dual_objective, gram, rule, s))) {
      if (params.tol > 0) stop_by_rounding(result, result.eta, gram.precision());
      break;
    }
    if (limits.reached(q, result.eta, result)) break;
  }
  result.eta = std::max(result.eta, challenge.eta());
  result.next_value = challenge.next_value();
  return result;
}

}  // namespace dualkpca
