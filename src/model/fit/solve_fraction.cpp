#include "model/fit/solve_fraction.hpp"

#include <algorithm>

#include "model/fit/components.hpp"
#include "solver/automatic.hpp"
#include "solver/fill_result.hpp"

namespace dualkpca {
namespace {

Vector eigenvalues_of(const SolveResult& result, const RankRule& rule) {
  return result.landmarks ? Vector(result.H.colwise().squaredNorm()) : order_components(result, rule).eigenvalues;
}

void keep_components(SolveResult& result, Index count, const RankRule& rule) {
  // The first `count` components miss at most as much as all s together.
  const double sum = result.H.colwise().squaredNorm().sum(), kept = result.H.leftCols(count).squaredNorm();
  const double missing = result.eta < 1 ? result.eta / (1 - result.eta) * sum : sum;
  if (result.landmarks) {
    result.H = Matrix(result.H.leftCols(count));
    result.landmarks->coefficients = Matrix(result.landmarks->coefficients.leftCols(count));
    result.landmarks->offset = Vector(result.landmarks->offset.head(count));
    result.primal_objective = -0.5 * result.H.squaredNorm();
  } else {
    fill_result(result, Matrix(result.H.leftCols(count)), Matrix(result.GH.leftCols(count)), count, rule);
  }
  result.eta = kept > 0 ? missing / (kept + missing) : 0;
}

}  // namespace

SolveResult solve_fraction(const GramOperator& gram, double fraction, const SolverParams& params,
                           const GramFacts& facts, const Observer& observe) {
  const Index n = gram.size();
  // LAPACK gives all components at once; an iterative solver starts with few and doubles them until they suffice.
  Index s = params.name == SolverName::dense ||
                    (params.name == SolverName::automatic && automatic_is_dense(n, unknown_components))
                ? n
                : std::min<Index>(n, 16);
  SolverParams search = params;
  search.accuracy = Accuracy::estimated;  // a certificate for many components is none for the first few of them
  for (Index iterations = 0;; s = std::min(n, 2 * s)) {
    SolveResult result = solve(gram, s, search, facts, observe);
    result.iterations = iterations += result.iterations;
    const RankRule rule = rank_rule(gram);
    const double trace = result.landmarks ? result.landmarks->trace_high : gram.diagonal().sum();
    const double wanted = fraction * trace;
    const Vector eigenvalues = eigenvalues_of(result, rule);
    double explained = 0;
    Index count = 0;
    while (count < s && explained < wanted) explained += eigenvalues[count++];
    if (explained < wanted && s < n && eigenvalues[s - 1] > 0 && result.status == Status::converged) continue;
    count = std::max<Index>(count, 1);
    const bool is_converged = result.status == Status::converged, certifies = params.accuracy == Accuracy::certified;
    if (!(certifies && is_converged)) keep_components(result, count, rule);
    // The error of all components together may be too much for the first few.
    if (is_converged && (certifies || (params.tol > 0 && result.eta > params.tol))) {
      result = solve(gram, count, params, facts, observe);
      result.iterations += iterations;
    }
    return result;
  }
}

}  // namespace dualkpca
