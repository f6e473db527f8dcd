#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "solver/landmark_solution.hpp"
#include "solver/solvers.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

constexpr Index most_landmarks = 4000;  // beyond that k^2 n and k^3 operations are no longer cheap

}  // namespace

SolveResult solve_nystrom(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts,
                          const Observer& observe) {
  SolveResult result;
  LandmarkSolution solution(gram, s, params, facts);
  if (params.landmarks > 0 && params.landmarks < s)
    throw InvalidArgument(
        fmt::format("landmarks is {}; it must be at least the number of components, {}", params.landmarks, s));
  const Index most = params.landmarks > 0 ? params.landmarks : most_landmarks;
  solution.run({.least = s, .most = most}, observe, result);
  solution.fill_result(result);
  result.iterations = solution.factor().size();
  if (!solution.factor().is_positive())
    throw DataError("the kernel matrix is not positive semi-definite, which landmarks need: choose another solver");
  // With tol 0 all of K is wanted, as far as landmarks in float64 can give it.
  const bool is_met = solution.is_met() || (solution.kind() == EtaKind::certified &&
                                            solution.eta() <= enough_eta(params, Precision::float64));
  if (result.status == Status::converged && !is_met) {
    result.status = params.landmarks > 0 ? Status::iteration_limit : Status::stopped;
    if (result.status == Status::stopped) result.stop_reason = StopReason::landmarks;
    result.message = fmt::format(
        "{} landmarks leave {:.2g} of the trace unexplained; use more landmarks or solver krylov for a smaller eta",
        solution.factor().size(), solution.factor().residual_trace() / solution.factor().trace());
  }
  return result;
}

}  // namespace dualkpca
