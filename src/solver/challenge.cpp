#include "solver/challenge.hpp"

#include <algorithm>
#include <cmath>

#include "core/decompositions.hpp"
#include "core/derived_seed.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca {
namespace {

constexpr Index random_columns = 8;
constexpr Index most_challenges = 4;  // products with heavy rows

Matrix beside(const Matrix& A, const Matrix& B) {
  Matrix both(A.rows(), A.cols() + B.cols());
  both << A, B;
  return both;
}

}  // namespace

Challenge::Challenge(const GramOperator& gram, Index s, const SolverParams& params)
    : gram_(gram),
      s_(s),
      tol_(params.tol),
      seed_(derived_seed(params.seed, Purpose::challengers)),
      rule_(rank_rule(gram)) {}

std::optional<RitzPoint> Challenge::better_than(const Matrix& H, const Matrix& GH) {
  RitzPoint at = ritz_point(H, GH, rule_);
  const double sum = at.theta.head(std::min(s_, at.theta.size())).sum();
  const double rounding = 100 * epsilon_of(gram_.precision()), enough = std::max(0.5 * tol_, rounding);
  const bool is_full = at.theta.size() >= s_;
  const double theta_s = is_full ? at.theta[s_ - 1] : 0;
  if (is_full && !heavy_rows_ && HeavyRows::are_needed(gram_, theta_s)) heavy_rows_.emplace(gram_, tol_);
  if (heavy_rows_) heavy_rows_->rewind();  // earlier rows may have been lost again with all but s columns
  gain_ = 0;
  eta_ = 0;
  for (Index round = 0; round < most_challenges; ++round) {
    std::vector<Index> rows;
    if (is_full && heavy_rows_) rows = heavy_rows_->next(at.theta.head(s_), 2 * s_ + random_columns);
    if (round > 0 && rows.empty()) break;
    const Matrix W = directions(at, rows);
    if (W.cols() == 0) break;
    Matrix GW(W.rows(), W.cols());
    gram_.apply(W, GW);
    // Columns of length 1 count alike when the basis is made orthonormal.
    const Vector inverse = at.H.colwise().norm().cwiseInverse();
    RitzPoint merged =
        ritz_point(beside(at.H * inverse.asDiagonal(), W), beside(at.GH * inverse.asDiagonal(), GW), rule_);
    const Index kept = std::min(s_, merged.theta.size());
    const double more = merged.theta.head(kept).sum();
    const double gain = more * (1 - rounding) > sum ? 1 - sum / more : 0;
    next_value_ = merged.theta.size() > s_ ? merged.theta[s_] : 0;
    merged.H = Matrix(merged.H.leftCols(kept));
    merged.GH = Matrix(merged.GH.leftCols(kept));
    merged.theta = Vector(merged.theta.head(kept));
    gain_ = std::max(gain_, gain);
    if (is_full) eta_ = eta_near_identity(at);
    if (gain > enough) return merged;
  }
  return {};
}

double Challenge::eta_near_identity(const RitzPoint& at) const {
  if (!heavy_rows_) return 0;
  const Matrix R = at.GH - at.H * at.theta.asDiagonal();  // for H = U Theta^{1/2}
  const Vector squares = R.colwise().squaredNorm().transpose().cwiseQuotient(at.theta);
  return heavy_rows_->estimated_eta(at.theta.head(s_), squares.head(s_).sum(), 0, next_value_).value_or(0);
}

double Challenge::goal(double eta) const {
  // The true error is linear in the gradient at worst, and eta is quadratic.
  const bool may_fall = heavy_rows_ && heavy_rows_->least_eta() < tol_;
  return eta_ > tol_ && may_fall ? 0.5 * eta * std::pow(tol_ / eta_, 2) : tol_;
}

Matrix Challenge::directions(const RitzPoint& at, const std::vector<Index>& rows) {
  const Index n = gram_.size(), rank = at.H.cols();
  const bool is_centered = &gram_.uncentered() != &gram_;
  const Index room = n - rank - (is_centered ? 1 : 0);
  const Vector lengths = at.H.colwise().norm();
  const Matrix U = at.H * lengths.cwiseInverse().asDiagonal();
  Matrix W = at.GH * lengths.cwiseInverse().asDiagonal() - U * at.theta.asDiagonal();
  W = beside(beside(unit_columns(n, rows), random_normal(n, random_columns, seed_++)), W);
  if (is_centered) W.rowwise() -= W.colwise().mean().eval();
  for (int pass = 0; pass < 2; ++pass) {
    add_times(W, U, inner(U, W), -1.0, 1.0);
    for (Index j = 0; j < W.cols(); ++j)
      if (const double norm = W.col(j).norm(); norm > 0) W.col(j) /= norm;
  }
  W = Matrix(W.leftCols(std::min(room, W.cols())));
  return W.cols() > 0 ? orthonormal_columns(W) : W;
}

}  // namespace dualkpca
