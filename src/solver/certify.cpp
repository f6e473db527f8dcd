#include "solver/certify.hpp"

#include <algorithm>
#include <cmath>

#include "solver/fill_result.hpp"
#include "solver/krylov.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {

ErrorBounds certify(SolveResult& result, const GramOperator& gram, const SolverParams& params, const GramFacts& facts,
                    const Observer& observe) {
  const RunLimits limits(params, observe);
  const RankRule rule = rank_rule(gram);
  const Index s = result.H.cols();
  KrylovProcess process(gram, s, krylov_options(gram, s, Accuracy::certified, params.seed, facts));
  process.start(result.H, result.GH);
  process.start_certifying();
  const double value = -2 * result.dual_objective;
  SolveResult stop;  // the limit that has ended the loop, if any
  CertificateStall stall;
  for (Index step = 1; process.can_step(); ++step) {
    process.step();
    if (!facts.indefinite) require_positive(process.lowest_quotient(), process.spectrum().theta[0], rule);
    const double sum = process.spectrum().sum(s), rough = process.certified_excess();
    const double missing = sum + rough - value, eta = missing / (sum + rough);
    // Once the excess is a small part of what H misses, more products hardly change the bound on the error of H.
    if (eta <= params.tol || rough <= 0.1 * missing) break;
    const double known_eta = std::isfinite(eta) ? eta : 1;
    if (stall.reached(known_eta)) break;
    bool is_over = limits.reached(step, known_eta, stop);
    if (step >= params.max_iter) {
      is_over = true;
      stop = {.status = Status::iteration_limit};
    }
    if (is_over) break;
  }

  const auto [excess, errors] = process.certificate();
  const Vector& theta = process.spectrum().theta;
  const double sum = process.spectrum().sum(s);
  const double smallest = std::max(theta[std::min(s, theta.size()) - 1], rule.absolute);
  // eta covers the part above the Ritz values, the part by which H is below them, and rounding. If H is not made of
  // Ritz vectors, rounding changes its value to first order.
  const double hidden = errors.ritz * errors.ritz / smallest + std::sqrt(static_cast<double>(s)) * errors.ritz;
  result.eta = eta_of_excess(value, excess + std::max(0.0, sum - value) + hidden, s, errors);
  if (result.eta < 1 && !facts.indefinite) result.eta_kind = EtaKind::certified;
  if (params.tol > 0 && !(result.eta <= params.tol) && result.status == Status::converged) {
    const bool is_limited = stop.status != Status::converged;
    result.status = is_limited ? stop.status : Status::stopped;
    result.stop_reason = is_limited ? stop.stop_reason : StopReason::not_certified;
    result.message = not_certified_message(result);
  }
  return {.lower = sum, .upper = sum + excess};
}

}  // namespace dualkpca
