#include "model/fit/solve_dual.hpp"

#include <algorithm>

#include "dualkpca/core/timer.hpp"
#include "model/fit/solve_fraction.hpp"

namespace dualkpca {
namespace {

SolverParams start_params(const LossParams& loss, SolverParams solver) {
  solver.name = SolverName::automatic;
  solver.accuracy = Accuracy::estimated;
  solver.landmarks = 0;
  // The error of kappa_max is about sqrt(eta). Norm frobenius only rescales the solution for the square loss, so that
  // solution must already have the required residual.
  if (loss.norm == Norm::frobenius)
    solver.tol = std::max(1e-14, 0.1 * solver.tol * solver.tol);
  else
    solver.tol = loss.name == LossName::huber && !loss.kappa ? 1e-7 : 1e-5;
  return solver;
}

// Only dca with a given kappa or epsilon starts at random; everything else needs the square-loss solution.
bool needs_start(const LossParams& loss, const SolverParams& solver) {
  return solver.name != SolverName::dca || !(loss.kappa || loss.epsilon);
}

// Some local minima lie outside the span of s components, but nearly within that of a few more.
Index components_of_start(Index n, Index s, const LossParams& loss) {
  const bool has_many_minima =
      loss.norm == Norm::entries || (loss.norm == Norm::rows && loss.name == LossName::epsilon_insensitive);
  return has_many_minima ? std::min(n, std::max(2 * s, s + 10)) : s;
}

}  // namespace

SolveResult solve_start(const GramOperator& gram, Index s, const LossParams& loss, const SolverParams& solver,
                        const GramFacts& facts, const Observer& observe) {
  return solve(gram, components_of_start(gram.size(), s, loss), start_params(loss, solver), facts, observe);
}

SolveResult solve_dual(const GramOperator& gram, const KernelPCAParams& params, SolverParams solver,
                       const GramFacts& facts, const Observer& observe) {
  const double fraction = params.n_components.fraction;
  const LossParams& loss = params.loss;
  if (loss.name == LossName::square)
    return fraction > 0 ? solve_fraction(gram, fraction, solver, facts, observe)
                        : solve(gram, params.n_components.count, solver, facts, observe);
  const Timer timer;
  Index s = params.n_components.count;
  std::optional<SolveResult> start;
  if (fraction > 0) {
    start = solve_fraction(gram, fraction, start_params(loss, solver), facts, observe);
    s = start->H.cols();
  } else if (needs_start(loss, solver)) {
    start = solve_start(gram, s, loss, solver, facts, observe);
  }
  if (solver.time_limit > 0) solver.time_limit = std::max(1e-9, solver.time_limit - timer.seconds());
  SolveResult result = solve_loss(gram, s, loss, solver, start, facts, observe);
  if (solver.name == SolverName::automatic) result.reason = "the loss is not square";
  return result;
}

}  // namespace dualkpca
