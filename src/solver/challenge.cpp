#include "solver/challenge.hpp"

#include <algorithm>
#include <cmath>

#include "core/derived_seed.hpp"
#include "dualkpca/core/random.hpp"
#include "solver/fill_result.hpp"

namespace dualkpca {
namespace {

constexpr Index random_columns = 8;
constexpr Index least_products = 3, most_products = 8;

// Returns the largest value that the eigenvalue after the s-th may have, if the basis has a part in its eigenvector.
double largest_next(const KrylovProcess& process, Index s) {
  const Vector &theta = process.spectrum().theta, &residuals = process.residual_lengths();
  if (theta.size() <= s) return 0;
  const double gap = s + 1 < theta.size() ? theta[s] - theta[s + 1] : 0,
               r = residuals[std::min(s, residuals.size() - 1)];
  return std::min(theta[s - 1], theta[s] + r * std::min(1.0, r / gap));
}

// Estimates eta of the Ritz point.
double eta_of(const KrylovProcess& process, Index s) {
  const BasisSpectrum& spectrum = process.spectrum();
  if (spectrum.theta.size() < s) return 0;
  const double next = largest_next(process, s);
  return eta_of_excess(spectrum.sum(s), residual_excess(spectrum.theta.head(s), next, process.residual_norm()), s);
}

}  // namespace

Challenge::Challenge(const GramOperator& gram, Index s, const SolverParams& params, const RunLimits& limits)
    : gram_(gram),
      s_(s),
      tol_(params.tol),
      rounding_(100 * epsilon_of(gram.precision())),
      limits_(limits),
      seed_(derived_seed(params.seed, Purpose::challengers)),
      rule_(rank_rule(gram)) {}

std::optional<RitzPoint> Challenge::better_than(const Matrix& H, const Matrix& GH, Index iteration) {
  const RitzPoint at = ritz_point(H, GH, rule_);
  const Index n = gram_.size(), rank = std::min(s_, at.theta.size()), wanted = std::max<Index>(1, rank);
  const double sum = at.theta.head(rank).sum();
  if (heavy_rows_) heavy_rows_->rewind();  // earlier rows may have been lost again with all but s columns
  const Index block = std::min(n, wanted + random_columns);
  KrylovProcess process(gram_, wanted, {.block = block, .max_columns = wanted + 3 * block, .seed = seed_});
  process.start(at.H, at.GH);
  process.widen(random_normal(n, random_columns, ++seed_));
  double gain = 0, rest = eta_of(process, wanted);
  for (Index product = 0; product < most_products; ++product) {
    const std::vector<Index> rows = rank == s_ ? heavy_rows(at.theta.head(s_)) : std::vector<Index>();
    if (!rows.empty()) process.widen(unit_columns(n, rows));
    const bool is_known = product >= least_products && gain + rest <= tol_;
    if (!process.can_step() || (is_known && rows.empty())) break;
    process.step();
    gain = gain_of(process, sum);
    rest = eta_of(process, wanted);
    if (gain > std::max(0.5 * tol_, rounding_)) break;
    SolveResult unused;  // the solver asks again
    if (product + 1 >= least_products && limits_.reached(iteration, gain + rest, unused)) break;
  }
  const Vector& theta = process.spectrum().theta;
  const Index most = std::min(s_, theta.size());
  next_value_ = theta.size() > s_ ? theta[s_] : 0;
  eta_ = rest + share_left_out(theta.head(most), rule_.rank(theta, most), rule_);
  if (gain > std::max(0.5 * tol_, rounding_)) return point_of(process);
  eta_ = std::max(gain + eta_, eta_near_identity(at, rank));
  return {};
}

double Challenge::goal(double seen) const {
  // Nothing is gained where the sums of rows allow no smaller eta.
  const bool is_least = heavy_rows_ && heavy_rows_->least_eta() >= tol_;
  return eta_ > tol_ && !is_least ? 0.5 * seen * tol_ / eta_ : std::max(tol_, seen);
}

std::vector<Index> Challenge::heavy_rows(const Vector& theta) {
  if (!heavy_rows_ && HeavyRows::are_needed(gram_, theta[theta.size() - 1])) heavy_rows_.emplace(gram_, tol_);
  return heavy_rows_ ? heavy_rows_->next(theta, 2 * s_ + random_columns) : std::vector<Index>();
}

double Challenge::gain_of(const KrylovProcess& process, double sum) const {
  const Vector& theta = process.spectrum().theta;
  const double more = theta.head(rule_.rank(theta, s_)).sum();
  return more * (1 - rounding_) > sum ? 1 - sum / more : 0;
}

RitzPoint Challenge::point_of(const KrylovProcess& process) const {
  const Vector& all = process.spectrum().theta;
  const Vector theta = all.head(rule_.rank(all, s_));
  const auto [U, GU] = process.ritz_vectors(theta.size());
  const Vector root = theta.cwiseSqrt();
  return {.H = U * root.asDiagonal(), .GH = GU * root.asDiagonal(), .theta = theta, .lowest = all.minCoeff()};
}

double Challenge::eta_near_identity(const RitzPoint& at, Index rank) const {
  if (!heavy_rows_ || rank < s_) return 0;
  const Matrix R = at.GH - at.H * at.theta.asDiagonal();  // for H = U Theta^{1/2}
  const Vector squares = R.colwise().squaredNorm().transpose().cwiseQuotient(at.theta);
  return heavy_rows_->estimated_eta(at.theta.head(s_), squares.head(s_).sum(), 0, next_value_).value_or(0);
}

}  // namespace dualkpca
