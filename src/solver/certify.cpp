#include "solver/certify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/small_eigen.hpp"
#include "core/tall_matrix.hpp"
#include "solver/fill_result.hpp"
#include "solver/krylov.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

// A given H, seen from an orthonormal basis V of its range: 2|d(H)| = tr V'GV - gap, where the gap is the squared Bures
// distance of V'GV and V'HH'V (docs/math.md, "The error of any H").
struct GivenPoint {
  Matrix V{};           // n x r
  double rayleigh = 0;  // tr V'GV
  double gap = 0;
  double smallest = 0;  // smallest eigenvalue of V'GV

  // Returns the smallest and the largest gap if V'GV has an error of length e. The Bures distance is a metric. For two
  // matrices it is at most the length of the difference of their roots, which is bounded by the smallest eigenvalues
  // and by the inequality of Powers and Stormer (1970).
  [[nodiscard]] std::array<double, 2> gaps(double e) const {
    const double least = smallest - e, root = std::sqrt(gap);
    double moved = std::sqrt(e * std::sqrt(static_cast<double>(V.cols())));
    if (least > 0) moved = std::min(moved, e / (2 * std::sqrt(least)));
    return {std::pow(std::max(0.0, root - moved), 2), std::pow(root + moved, 2)};
  }
};

GivenPoint given_point(const Matrix& H, const Matrix& GH, double dual_objective, const RankRule& rule) {
  const RitzPoint best = ritz_point(H, GH, rule);
  GivenPoint point{.V = best.H * best.H.colwise().norm().cwiseInverse().asDiagonal(), .rayleigh = best.theta.sum()};
  point.gap = std::max(0.0, point.rayleigh + 2 * dual_objective);
  if (best.theta.size() > 0) point.smallest = best.theta[best.theta.size() - 1];
  return point;
}

// Returns a bound on what the directions of H that the objective leaves out as rounding could add to 2|d(H)|. For the
// part H_2 of H in these r directions, this is at most 2 |G^{1/2} H_2|_* <= 2 sqrt(r Tr H_2'GH_2).
double left_out(const Matrix& H, const Matrix& GH, const RankRule& rule, double largest, double error) {
  const Matrix V = evaluate_dual(H, GH, rule).root.vectors;
  const auto directions = static_cast<double>(H.cols() - V.cols());
  const double all = H.squaredNorm(), squares = std::max(0.0, all - times(H, V).squaredNorm());
  const double quotient = std::max(rule.absolute, rule.relative * largest) + error;
  return 2 * std::sqrt(directions * (squares + epsilon_of(Precision::float64) * all) * quotient);
}

// Returns the sum of the singular values of UU' - VV'.
double distance_of_projectors(const Matrix& U, const Matrix& V) {
  double sum = static_cast<double>(std::abs(U.cols() - V.cols()));
  if (U.cols() == 0 || V.cols() == 0) return sum;
  const Matrix cosines = inner(U, V);
  const Vector squares = U.cols() < V.cols() ? small_eigenvalues(cosines * cosines.transpose())
                                             : small_eigenvalues(cosines.transpose() * cosines);
  for (const double square : squares) sum += 2 * std::sqrt(std::clamp(1 - square, epsilon_of(Precision::float64), 1.0));
  return sum;
}

// Makes products until the bound on the error of an H with 2|d(H)| = value meets tol or hardly improves, or until a
// limit is reached. Returns that limit as a status; converged for none.
SolveResult sharpen(KrylovProcess& process, Index s, double value, const SolverParams& params, const GramFacts& facts,
                    const RankRule& rule, const Observer& observe) {
  const RunLimits limits(params, observe);
  SolveResult stop;
  CertificateStall stall;
  for (Index step = 1; process.can_step(); ++step) {
    process.step();
    if (!facts.indefinite) require_positive(process.lowest_quotient(), process.spectrum().theta[0], rule);
    const double excess = process.certified_excess(), most = process.spectrum().sum(s) + excess;
    const double missing = most - value, eta = std::isfinite(most) ? missing / most : 1;
    // Once the excess is a small part of what H misses, more products hardly change the bound on the error of H.
    const bool is_sharp = std::isfinite(excess) && excess <= 0.1 * missing;
    if (eta <= params.tol || is_sharp || stall.reached(eta)) break;
    if (limits.reached(step, eta, stop)) break;
    if (step >= params.max_iter) {
      stop.status = Status::iteration_limit;
      break;
    }
  }
  return stop;
}

}  // namespace

ErrorBounds certify(SolveResult& result, const GramOperator& gram, const SolverParams& params, const GramFacts& facts,
                    const Observer& observe) {
  const RankRule rule = rank_rule(gram);
  const Index s = result.H.cols();
  KrylovProcess process(gram, s, krylov_options(gram, s, Accuracy::certified, params.seed, facts));
  // The errors of products with a centred matrix are known for vectors that are orthogonal to 1 only.
  Matrix H = result.H, GH = result.GH;
  if (&gram.uncentered() != &gram) {
    H.rowwise() -= H.colwise().mean().eval();
    GH.rowwise() -= GH.colwise().mean().eval();
  }
  process.start(H, GH);
  const GivenPoint point = given_point(H, GH, result.dual_objective, rule);
  const double at_point = process.errors_of_first(point.V.cols()).ritz;
  process.start_certifying();
  const double value = -2 * result.dual_objective;
  const SolveResult stop = sharpen(process, s, value, params, facts, rule, observe);

  const auto [excess, errors] = process.certificate();
  const double sum = process.spectrum().sum(s), root = std::sqrt(static_cast<double>(s));
  const double of_sum = root * errors.ritz + errors.arithmetic * sum;
  // eta covers the part above the Ritz values, the part by which the range of H is below them, and the gap. Both sums
  // come from the same products, so their errors differ only as far as the spaces do.
  const Matrix U = process.ritz_vectors(s).U;
  const double difference = process.has_restarted() ? root * (errors.ritz + at_point)
                                                    : distance_of_projectors(U, point.V) * 0.5 * errors.spectral;
  const double below = sum - point.rayleigh, rounding = difference + errors.arithmetic * sum;
  const auto [least_gap, largest_gap] = point.gaps(at_point + errors.arithmetic * sum);
  const double missing = excess + std::max(0.0, below) + rounding + largest_gap;
  result.eta = eta_of_excess(value, missing, s, errors);
  if (result.eta < 1 && !facts.indefinite) result.eta_kind = EtaKind::certified;
  if (params.tol > 0 && !(result.eta <= params.tol) && result.status == Status::converged) {
    const bool is_limited = stop.status != Status::converged;
    result.status = is_limited ? stop.status : Status::stopped;
    result.stop_reason = is_limited ? stop.stop_reason : StopReason::not_certified;
    result.message = not_certified_message(result, gram.precision());
  }
  const double upper = sum + of_sum + excess;
  const double least = std::max(0.0, below - rounding) + least_gap -
                       left_out(result.H, result.GH, rule, process.spectrum().theta[0], at_point);
  return {.lower = sum - of_sum,
          .upper = upper,
          .eta_low = std::isfinite(upper) && upper > 0 ? std::clamp(least / upper, 0.0, result.eta) : 0};
}

}  // namespace dualkpca
