#include "solver/certify.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tall_matrix.hpp"
#include "solver/fill_result.hpp"
#include "solver/krylov.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

// Bounds the change of 2|d(H)| by the rounding errors of GH; `e` bounds |D Q|_F for an orthonormal basis Q of the range
// of H. The root is concave, so the change of 2 Tr (H'GH)^{1/2} is at most <N, Q'D> with N = Q'H (H'GH)^{-1/2} H'Q
// (docs/math.md, "Rounding").
double value_error(const Matrix& H, const Matrix& GH, const RankRule& rule, double e) {
  if (H.cols() == 0 || e == 0) return 0;
  const Matrix C = inner(H, H);
  const SpectralRoot root = spectral_root(inner(H, GH), C, rule);
  if (root.values.size() == 0) return 0;
  const Matrix P = root.inverse_root();
  const double length = std::sqrt(std::max(0.0, (P * C * P * C).trace()));
  // The inequality has the root at the exact matrix, which may be smaller by this share.
  const double share = e * (P * C).eigenvalues().real().maxCoeff();
  return share > 0.25 ? std::numeric_limits<double>::infinity() : length * e * (1 + 2 * share);
}

}  // namespace

ErrorBounds certify(SolveResult& result, const GramOperator& gram, const SolverParams& params, const GramFacts& facts,
                    const Observer& observe) {
  const RunLimits limits(params, observe);
  const RankRule rule = rank_rule(gram);
  const Index s = result.H.cols();
  KrylovProcess process(gram, s, krylov_options(gram, s, Accuracy::certified, params.seed, facts));
  process.start(result.H, result.GH);
  const double at_H = value_error(result.H, result.GH, rule, process.errors_of_first(s).ritz);
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
  // eta covers the part above the Ritz values, the part by which H is below them, and rounding. The computed sum of the
  // Ritz values differs from the exact one by sqrt(s) |D Z_s|_F at most, and the value of H by `at_H`.
  const double of_sum = std::sqrt(static_cast<double>(s)) * errors.ritz + errors.arithmetic * sum;
  const double hidden = errors.ritz * errors.ritz / smallest + of_sum + at_H;
  result.eta = eta_of_excess(value, excess + std::max(0.0, sum - value) + hidden, s, errors);
  if (result.eta < 1 && !facts.indefinite) result.eta_kind = EtaKind::certified;
  if (params.tol > 0 && !(result.eta <= params.tol) && result.status == Status::converged) {
    const bool is_limited = stop.status != Status::converged;
    result.status = is_limited ? stop.status : Status::stopped;
    result.stop_reason = is_limited ? stop.stop_reason : StopReason::not_certified;
    result.message = not_certified_message(result);
  }
  const double lower = sum - of_sum, highest = value + at_H + errors.arithmetic * sum;
  const double eta_low = lower > 0 ? std::clamp(1 - highest / lower, 0.0, result.eta) : 0;
  return {.lower = lower, .upper = sum + of_sum + excess, .eta_low = eta_low};
}

}  // namespace dualkpca
