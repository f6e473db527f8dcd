#include <bit>
#include <cmath>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "solver/fill_result.hpp"
#include "solver/lbfgs_history.hpp"
#include "solver/stopping.hpp"
#include "solver/wolfe.hpp"

namespace dualkpca {
namespace {

constexpr std::size_t history_size = 10;  // scipy's default, which the paper's experiments use
// Ritz values of a random start are of the size tr G / n, however large the eigenvalues; so is their rounding smaller.
// Only after some iterations can small components be told from rounding by the rule for eigenvalues.
constexpr Index first_rank_check = 8;

}  // namespace

SolveResult solve_lbfgs(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe) {
  const RunLimits limits(params, observe);
  const BlasThreadGuard one_blas_thread;  // waking BLAS's own threads costs more than its small products here
  const RankRule strict = rank_rule(gram);
  const double share = static_cast<double>(s) / static_cast<double>(gram.size());
  RankRule rule{.relative = strict.relative / 16, .absolute = strict.absolute * std::sqrt(share)};
  const Precision precision = gram.precision();
  SolveResult result;

  // The best H in the range of a random start: same product, and its columns are graded like the eigenvalues, so that
  // small components do not drown in the rounding of large ones. Fewer than s columns if G has a smaller rank.
  Matrix GH(gram.size(), s);
  Matrix H = random_normal(gram.size(), s, params.seed);
  gram.apply(H, GH);
  {
    RitzPoint start = ritz_point(H, GH, rule);
    require_positive(start.lowest, start.theta.size() > 0 ? start.theta[0] : 0, strict);
    H = std::move(start.H);
    GH = std::move(start.GH);
  }
  LbfgsHistory history(history_size);
  DualStall stall;
  DualEvaluation at = evaluate_dual(H, GH, rule);
  for (Index k = 0; H.cols() > 0; ++k) {
    result.iterations = k;
    const double eta = estimate_eta(H, at.Y);
    if (eta <= params.tol) break;
    if (stall.reached(eta, at.value, dual_rounding(at.value, gram, strict, s))) {
      if (params.tol > 0) stop_by_rounding(result, eta, precision);
      break;
    }
    if (k == params.max_iter) {
      result.status = Status::iteration_limit;
      break;
    }
    if (limits.reached(k, eta, result)) break;
    // d and L-BFGS are invariant under H <- H R with R orthogonal. Turning the columns towards the eigenvectors of S
    // now and then keeps them graded, and drops those that turned out to be rounding.
    if (std::has_single_bit(static_cast<std::size_t>(k))) {
      if (k >= first_rank_check) {
        rule = strict;
        at = evaluate_dual(H, GH, rule);
      }
      const Matrix R = at.root.vectors;
      H = times(H, R);
      GH = times(GH, R);
      history.rotate(R);
      at = evaluate_dual(H, GH, rule);
      if (H.cols() == 0) break;
    }
    const Matrix gradient = H - at.Y;
    Matrix D = history.direction(gradient);
    if (!(D.cwiseProduct(gradient).sum() < 0)) {
      history.clear();
      D = -gradient;
    }
    Matrix GD(D.rows(), D.cols());
    gram.apply(D, GD);
    const DualLine line(H, GH, D, GD, rule);
    const double a = wolfe_step(line, line.at(0)).value_or(1.0);  // 1: with D = -gradient a step of the DC algorithm
    H += a * D;
    GH += a * GD;
    at = evaluate_dual(H, GH, rule);
    history.push(a * D, (H - at.Y) - gradient);
  }
  const RitzPoint best = ritz_point(H, GH, strict);
  fill_result(result, best.H, best.GH, s, strict);
  return result;
}

}  // namespace dualkpca
