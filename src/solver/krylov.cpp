#include "solver/krylov.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dualkpca/core/random.hpp"
#include "solver/fill_result.hpp"
#include "solver/krylov_process.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

// Probes are of use once the basis holds the wanted eigenvectors: only then can what is outside fall below theta_s.
constexpr double separation_for_probes = 0.3;

KrylovProcess::Options options_of(const GramOperator& gram, Index s, const SolverParams& params,
                                  const GramFacts& facts) {
  const Index n = gram.size(), block = krylov_block(s, n);
  return {.block = block,
          .probes = std::min<Index>(16, n),
          .max_columns = krylov_columns(facts.memory, n, block + (params.accuracy == Accuracy::certified ? 16 : 0)),
          .seed = params.seed};
}

// Components above rounding.
Index rank_of(const Vector& theta, Index s, const RankRule& rule) {
  Index rank = 0;
  while (rank < std::min(s, theta.size()) && !rule.is_zero(theta[rank], theta[0])) ++rank;
  return rank;
}

// eta of H = U sqrt(Theta) from a bound on how much the largest eigenvalues exceed the Ritz values. What is left out as
// rounding is missing, too, and so is the square of what rounding does to H'GH (docs/math.md).
double proven_eta(const KrylovProcess& process, double excess, const ProductErrors& errors, Index s,
                  const RankRule& rule) {
  const Vector& theta = process.spectrum().theta;
  const Index rank = rank_of(theta, s, rule);
  if (rank == 0) return process.spectrum().sum(s) + excess > 0 ? 1 : 0;  // all of it was left out
  const double value = theta.head(rank).sum(), left_out = std::max(0.0, process.spectrum().sum(s) - value);
  return eta_of_excess(value, excess + left_out + errors.ritz * errors.ritz / theta[rank - 1], s, errors);
}

// H = U sqrt(Theta) without the values that are rounding.
void take_solution(SolveResult& result, const KrylovProcess& process, Index s, const RankRule& rule) {
  const Vector& theta = process.spectrum().theta;
  const Index rank = rank_of(theta, s, rule);
  const auto [U, GU] = process.ritz_vectors(rank);
  const Vector root = theta.head(rank).cwiseSqrt();
  fill_result(result, U * root.asDiagonal(), GU * root.asDiagonal(), s, rule);
}

std::string not_certified(const SolveResult& result) {
  if (result.eta_kind == EtaKind::estimated) return "there was no certificate yet; eta is an estimate";
  return fmt::format("the best certified eta is {:.2g}", result.eta);
}

// Eigenvalues that crowd around the s-th hold the bound up, and more products then gain little.
constexpr Index patience_with_certificate = 12;

}  // namespace

Index krylov_block(Index s, Index n) {
  // Eight more for few components, a tenth for many; never more than twice as many. To a multiple of four, at which
  // the vector units are full.
  const Index wanted = (s + std::max<Index>(8, s / 10) + 3) / 4 * 4;
  return std::min({n, 2 * s, wanted});
}

Index krylov_columns(std::size_t memory, Index n, Index block) {
  // A decomposition of the projected matrix takes as long as 16 m^3 / n^2 columns of a product: beyond that basis it
  // would be what takes the time, and restarting is cheaper.
  constexpr Index blocks = 20;
  const double rows = static_cast<double>(n), balanced = std::cbrt(static_cast<double>(block) * rows * rows / 16);
  const Index most = std::clamp(static_cast<Index>(balanced), 4 * block, blocks * block);
  if (memory == 0) return most;
  const auto affordable = static_cast<Index>(memory / (2 * sizeof(double) * static_cast<std::size_t>(n)));
  return std::clamp(affordable, 4 * block, most);
}

SolveResult solve_krylov_from(Matrix start, Index products_before_trust, const GramOperator& gram, Index s,
                              const SolverParams& params, const GramFacts& facts, const Observer& observe) {
  const RunLimits limits(params, observe);
  const RankRule rule = rank_rule(gram);
  const bool certified = params.accuracy == Accuracy::certified;
  KrylovProcess process(gram, s, options_of(gram, s, params, facts));
  process.start(std::move(start));
  Index products = 0;
  const auto judge = [&](bool with_rounding) {
    // With tol 0 the residual alone decides when to stop.
    if (!certified) return process.estimated_eta(params.tol > 0 ? params.tol : 1.0);
    const double rough = proven_eta(process, process.certified_excess(), {}, s, rule);
    if (!with_rounding && rough > params.tol) return rough;
    const auto [excess, errors] = process.certificate();
    return proven_eta(process, excess, errors, s, rule);
  };

  SolveResult result;
  ResidualFloor floor;
  const double rounding = 100 * epsilon_of(gram.precision()) * std::sqrt(static_cast<double>(s));
  StallCounter stalled(0.9, 1);  // of the certified eta
  while (process.can_step()) {
    process.step();
    ++products;
    if (!facts.indefinite) require_positive(process.lowest(), process.spectrum().theta[0], rule);
    if (certified && process.separation() < separation_for_probes) process.certify();
    const double eta = judge(false);
    const bool trusted = certified || products >= products_before_trust || !process.can_step();
    if (params.tol > 0 && trusted && eta <= params.tol) break;
    // As small as LAPACK's residuals are.
    if (params.tol == 0 && trusted && !certified && process.rho() <= 0.1 * rounding * process.spectrum().theta[0])
      break;
    if (floor.reached(process.rho(), rounding * process.spectrum().theta[0]) && trusted &&
        (!certified || process.attempts() > 2)) {
      if (params.tol > 0) stop_by_rounding(result, eta, gram.precision());
      break;
    }
    const Index since_better = stalled.next(eta);
    if (certified && process.attempts() > 0 && since_better >= patience_with_certificate) {
      if (params.tol > 0) result.status = Status::stopped;
      break;
    }
    if (!process.can_step()) break;
    if (products >= params.max_iter) {
      result.status = Status::iteration_limit;
      break;
    }
    if (limits.reached(products, eta, result)) break;
  }
  // Of a kernel known to be indefinite the positive end is wanted, and has to be long enough.
  const Vector& theta = process.spectrum().theta;
  if (facts.indefinite) require_positive(theta[std::min(s, theta.size()) - 1], theta[0], rule);
  take_solution(result, process, s, rule);
  result.iterations = products;
  result.eta = judge(true);
  // A basis that was compressed forgets the rounding of its products: no estimate below the square of that is true.
  if (const double least = std::pow(epsilon_of(gram.precision()), 2); params.tol > 0 && params.tol < least) {
    if (result.status == Status::converged) result.status = Status::stopped;
    result.eta = std::max(result.eta, least);
    if (result.message.empty()) result.message = rounding_message(result.eta, gram.precision());
  }
  if (!certified) {
    if (params.tol > 0 && !(result.eta <= params.tol) && result.status == Status::converged) {
      result.status = Status::stopped;
      result.message = rounding_message(result.eta, gram.precision());
    }
    return result;
  }
  if (result.eta < 1)
    result.eta_kind = EtaKind::certified;
  else
    result.eta = process.estimated_eta(0);
  if (params.tol > 0 && !(result.eta_kind == EtaKind::certified && result.eta <= params.tol)) {
    if (result.status == Status::converged) result.status = Status::stopped;
    if (result.message.empty()) result.message = not_certified(result);
  }
  return result;
}

SolveResult solve_krylov(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts,
                         const Observer& observe) {
  const Index n = gram.size();
  return solve_krylov_from(random_normal(n, krylov_block(s, n), params.seed), 3, gram, s, params, facts, observe);
}

ErrorBounds certify(SolveResult& result, const GramOperator& gram, const SolverParams& params, const GramFacts& facts,
                    const Observer& observe) {
  const RunLimits limits(params, observe);
  const RankRule rule = rank_rule(gram);
  const Index s = result.H.cols();
  SolverParams certified = params;
  certified.accuracy = Accuracy::certified;
  KrylovProcess process(gram, s, options_of(gram, s, certified, facts));
  process.start(result.H, result.GH);
  process.certify();
  const double value = -2 * result.dual_objective;
  Status status = Status::converged;
  StallCounter stalled(0.9, 1);
  for (Index step = 1; process.can_step(); ++step) {
    process.step();
    if (!facts.indefinite) require_positive(process.lowest(), process.spectrum().theta[0], rule);
    const double sum = process.spectrum().sum(s), rough = process.certified_excess();
    const double missing = sum + rough - value, eta = missing / (sum + rough);
    // Once most of what is missing is known to be there, more products would not change what is said about H.
    if (eta <= params.tol || rough <= 0.1 * missing) break;
    const double known_eta = std::isfinite(eta) ? eta : 1;
    if (stalled.next(known_eta) >= patience_with_certificate) break;
    SolveResult stopped;
    if (limits.reached(step, known_eta, stopped)) status = stopped.status;
    if (step >= params.max_iter) status = Status::iteration_limit;
    if (status != Status::converged) break;
  }
  const auto [excess, errors] = process.certificate();
  const Vector& theta = process.spectrum().theta;
  const double sum = process.spectrum().sum(s),
               smallest = std::max(theta[std::min(s, theta.size()) - 1], rule.absolute);
  // What may lie above the Ritz values, what H is below them, and what rounding hides of that: the value of an H that
  // is not made of Ritz vectors feels it to first order.
  const double hidden = errors.ritz * errors.ritz / smallest + std::sqrt(static_cast<double>(s)) * errors.ritz;
  const double eta = eta_of_excess(value, excess + std::max(0.0, sum - value) + hidden, s, errors);
  result.eta = eta;
  if (eta < 1 && !facts.indefinite) result.eta_kind = EtaKind::certified;
  if (params.tol > 0 && !(eta <= params.tol) && result.status == Status::converged) {
    result.status = status == Status::converged ? Status::stopped : status;
    result.message = not_certified(result);
  }
  return {.lower = sum, .upper = sum + excess};
}

}  // namespace dualkpca
