#include "solver/krylov_process.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/derived_seed.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "solver/heavy_rows.hpp"

namespace dualkpca {
namespace {

constexpr Index steps_before_judging_probes = 3;  // steps before a set of probes may be given up

}  // namespace

KrylovProcess::KrylovProcess(const GramOperator& gram, Index s, const Options& options)
    : gram_(gram),
      s_(s),
      options_(options),
      centered_(&gram.uncentered() != &gram),
      space_(gram.size(), gram.threads()),
      product_errors_(gram, 0.5 * options.failure, derived_seed(options.seed, Purpose::rounding)) {
  space_.reserve(std::min(options.max_columns, 6 * options.block));
}

void KrylovProcess::start(Matrix W) {
  // Vectors orthogonal to 1 stay orthogonal to it, and centring their products loses no digits.
  if (centered_) W.rowwise() -= W.colwise().mean().eval();
  next_ = space_.orthonormal(std::move(W));
}

void KrylovProcess::start(const Matrix& H, const Matrix& GH) {
  space_.join(H, GH, 1e-4);
  last_block_start_ = 0, last_block_columns_ = space_.size();
  if (last_block_columns_ > 0)
    analyse();
  else
    start(random_normal(gram_.size(), std::min(gram_.size(), options_.block), options_.seed));
}

void KrylovProcess::widen(const Matrix& W) {
  Matrix both(gram_.size(), next_.cols() + W.cols());
  both << next_, W;
  start(std::move(both));
}

void KrylovProcess::step() {
  if (space_.size() > options_.block && space_.size() + next_.cols() > options_.max_columns) restart();
  manage_probes();
  const Index n = gram_.size(), w = next_.cols(), r = probes_ ? probes_->vectors().cols() : 0;
  if (w + r == 0) return;
  Matrix V(n, w + r), GV(n, w + r);
  V.leftCols(w) = next_;
  if (r > 0) V.rightCols(r) = probes_->vectors();
  gram_.apply(V, GV);
  if (w > 0) last_block_start_ = space_.size(), last_block_columns_ = w;
  space_.append(next_, GV.leftCols(w));
  if (r > 0) {
    probes_->advance(GV.rightCols(r), space_.basis().leftCols(frozen_));
    Matrix P = V.rightCols(r);
    if (centered_) P.rowwise() -= P.colwise().mean().eval();  // near the end of their space they may point to 1
    space_.join(std::move(P), GV.rightCols(r), 0.5);          // their products improve the basis, too
  }
  analyse();
}

void KrylovProcess::analyse() {
  ritz_ = space_.ritz();
  if (!ritz_.values.allFinite()) throw DataError("the kernel values leave the range of the numbers: scale the data");
  spectrum_ = {.theta = ritz_.values};
  const Index width = std::min(options_.block, space_.size());
  const Matrix Z = ritz_.vectors.leftCols(width);
  Matrix R = times(space_.products(), Z, gram_.threads());
  add_times(R, space_.basis(), Z * ritz_.values.head(width).asDiagonal(), -1.0, 1.0, gram_.threads());
  residual_lengths_ = R.colwise().norm();
  residual_norm_ = residual_lengths_.head(std::min(s_, width)).norm();
  // Residuals that are rounding give no useful direction.
  const double rounding = epsilon_of(Precision::float64) * std::abs(ritz_.values[0]);
  std::vector<Index> alive;
  for (Index j = 0; j < width; ++j)
    if (residual_lengths_[j] > rounding) alive.push_back(j);
  next_ = space_.size() < gram_.size() ? space_.orthonormal_residuals(Matrix(R(Eigen::all, alive)))
                                       : Matrix(gram_.size(), 0);
  // Residuals that are nearly rounding may point anywhere, also to 1.
  const double root = std::sqrt(static_cast<double>(gram_.size()));
  if (centered_ && next_.cols() > 0 && next_.colwise().sum().cwiseAbs().maxCoeff() > 1e-10 * root)
    start(std::move(next_));
}

const BasisSpectrum& KrylovProcess::spectrum_with_residual() const {
  if (spectrum_.residual.rows() != spectrum_.theta.size()) spectrum_ = space_.spectrum(ritz_);
  return spectrum_;
}

Vector KrylovProcess::rounding_squares(double enough, const Vector& most) {
  const KnownProducts products{space_.basis(), space_.products(), space_.mixing()};
  Vector likely = product_errors_.likely_squares(products, ritz_.vectors, most);
  // Few rows are measured, and only if rounding can matter. Nothing measures float64.
  if (gram_.precision() == Precision::float64 || estimated_eta(enough, likely) <= 2 * estimated_eta(enough))
    return likely;
  return product_errors_.estimated_squares(products, ritz_.vectors);
}

double KrylovProcess::estimated_eta(double enough, const Vector& rounding) const {
  const double sum = spectrum_.sum(s_);
  const Index m = spectrum_.theta.size();
  if (m < s_) return next_.cols() == 0 ? 0 : 1;
  const Vector theta = spectrum_.theta.head(s_);
  const double squares = rounding.size() > 0 ? rounding.head(s_).sum() : 0;
  const double residual = std::sqrt(residual_norm_ * residual_norm_ + squares);
  // This bound is sharp once the residuals are far below the gaps, and it is final when the basis cannot grow.
  const double by_residual = residual_excess(theta, m > s_ ? std::max(0.0, spectrum_.theta[s_]) : 0, residual);
  const double rough = eta_of_excess(sum, by_residual, s_);
  if (next_.cols() == 0 || rough <= enough) return rough;
  // A residual from small matrices has an error of this size, below which it means nothing.
  BasisSpectrum spectrum = spectrum_with_residual();
  spectrum.residual.diagonal().array() +=
      static_cast<double>(m) * epsilon_of(Precision::float64) * std::pow(spectrum.theta[0], 2);
  if (rounding.size() > 0) spectrum.residual.diagonal() += rounding;
  const double sharp = loewner_excess(spectrum, s_, estimate_outside());
  return eta_of_excess(sum, std::min(sharp, by_residual), s_);
}

double KrylovProcess::separation() const {
  if (next_.cols() == 0) return 0;
  if (spectrum_.theta.size() <= s_) return std::numeric_limits<double>::infinity();
  return residual_norm_ * residual_norm_ / (spectrum_.theta[s_ - 1] - spectrum_.theta[s_]) / spectrum_.sum(s_);
}

void KrylovProcess::manage_probes() {
  if (!certifying_) return;
  // If a Rayleigh quotient outside the frozen part is above theta_s, a bound on that part is useless. The basis
  // contains its direction by now, so new probes, which are independent of the present basis, will not see it.
  const bool useless = probes_ && probes_->steps() >= steps_before_judging_probes &&
                       probes_->largest() > spectrum_.theta[std::min(s_, spectrum_.theta.size()) - 1];
  if (probes_ && !useless) return;
  keep_certificate();
  ++probe_sets_;
  // The next block belongs to the frozen part already: it is fixed before the probes are drawn.
  Matrix P(gram_.size(), space_.size() + next_.cols());
  P.leftCols(space_.size()) = space_.basis();
  P.rightCols(next_.cols()) = next_;
  frozen_ = P.cols();
  const double failure = 0.5 * options_.failure * std::pow(0.5, static_cast<double>(probe_sets_));
  const std::uint64_t seed = derived_seed(options_.seed, Purpose::probes) + static_cast<std::uint64_t>(probe_sets_);
  probes_ = std::make_unique<EigenvalueProbes>(P, options_.probes, centered_, failure, seed, gram_.threads());
}

void KrylovProcess::restart() {
  const Index kept = std::min(space_.size() - 1, std::max(2 * s_, s_ + options_.block));
  keep_certificate();
  has_restarted_ = true;
  space_.compress(ritz_.vectors.leftCols(kept));
  probes_.reset();  // the part they are independent of is gone
  ritz_ = space_.ritz();
}

double KrylovProcess::estimate_outside() const {
  constexpr double close = 0.99;
  const Vector& theta = spectrum_.theta;
  const Index last = std::min(options_.block, theta.size()) - 1;
  const double wanted = theta[std::min(s_, theta.size()) - 1];
  // If all further Ritz values of a block are about as large as theta_s, so may be many eigenvalues outside, which no
  // residual shows.
  if (last >= s_ && theta[last] > close * wanted) return wanted;
  // The last block contains the directions in which most is missing. Its largest Rayleigh quotient, with a quarter
  // added for other directions, estimates the largest eigenvalue outside the basis. One above theta_s would soon be
  // part of the basis.
  const double seen = small_eigenvalues(space_.projected(last_block_start_, last_block_columns_))[0];
  return std::min(1.25 * seen, wanted);
}

double KrylovProcess::bound_outside() {
  if (is_complete()) {
    // One direction is outside of n - 1 columns. It is that of 1, where G is zero, as far as they are orthogonal to 1.
    if (!centered_ || space_.size() == 0 || space_.size() == gram_.size()) return 0;
    const double along = space_.basis().colwise().sum().squaredNorm() / static_cast<double>(gram_.size());
    return 2 * std::abs(spectrum_.theta[0]) * along;
  }
  if (!options_.use_probes) return estimate_outside();
  if (!probes_ || probes_->steps() == 0) return std::numeric_limits<double>::infinity();
  const double sums = 10 * epsilon_of(gram_.precision()) * std::abs(spectrum_.theta[0]);
  if (HeavyRows::are_needed(gram_, spectrum_.theta[std::min(s_, spectrum_.theta.size()) - 1]))
    product_errors_.look_at_entries();
  return probes_->bound() + product_errors_.entries_norm() + sums;
}

void KrylovProcess::keep_certificate() {
  if (!probes_) return;
  const auto [excess, errors] = certificate();
  // The rounding error of this sum is part of the bound. A later sum that is compared with it has its own.
  const double rounding = std::sqrt(static_cast<double>(s_)) * errors.ritz;
  certified_sum_ = std::min(certified_sum_, (1 + errors.arithmetic) * spectrum_.sum(s_) + excess + rounding);
}

double KrylovProcess::certified_excess() {
  if (space_.size() == 0) return bound_outside();
  const double b = bound_outside(), now = std::isfinite(b) ? loewner_excess(spectrum_with_residual(), s_, b) : b;
  return std::min(now, certified_sum_ - spectrum_.sum(s_));
}

KrylovProcess::Certificate KrylovProcess::certificate() {
  if (space_.size() == 0) return {bound_outside(), {}};
  const double earlier = certified_sum_ - spectrum_.sum(s_);
  if (!std::isfinite(bound_outside()) && !std::isfinite(earlier)) return {bound_outside(), {}};
  const ProductErrors errors = errors_of(ritz_.vectors.leftCols(std::min(s_, space_.size())));
  const double b = bound_outside();  // measuring the errors may have raised it
  const double now = std::isfinite(b) ? loewner_excess(space_.exact_spectrum(ritz_), s_, b, errors) : b;
  return {std::min(now, earlier + std::sqrt(static_cast<double>(s_)) * errors.ritz), errors};
}

ProductErrors KrylovProcess::errors_of_first(Index count) {
  return errors_of(Matrix::Identity(space_.size(), std::min(count, space_.size())));
}

ProductErrors KrylovProcess::errors_of(const Matrix& Z) {
  if (space_.size() == 0) return {};
  ProductErrors errors = product_errors_({space_.basis(), space_.products(), space_.mixing()}, Z);
  // The residual is a difference of n x m matrices in float64, and the Ritz values come from sums of n terms. A basis
  // that is not quite orthonormal changes all values by that share.
  const double epsilon = epsilon_of(Precision::float64), s = static_cast<double>(Z.cols());
  const double difference = 4 * epsilon * std::abs(spectrum_.theta[0]);
  errors.ritz += std::sqrt(s) * difference;
  errors.coupling += 2 * std::sqrt(s) * difference;
  errors.spectral += 2 * std::sqrt(static_cast<double>(space_.size())) * difference;
  errors.arithmetic = 2 * space_.unorthogonality() + 4 * std::sqrt(static_cast<double>(gram_.size())) * epsilon;
  return errors;
}

double KrylovProcess::lowest_quotient() const {
  if (space_.size() == 0) return 0;
  const double basis = spectrum_.theta[spectrum_.theta.size() - 1];
  return probes_ ? std::min(basis, probes_->lowest()) : basis;
}

KrylovProcess::Vectors KrylovProcess::ritz_vectors(Index count) const {
  const Matrix Z = ritz_.vectors.leftCols(std::min(count, space_.size()));
  return {times(space_.basis(), Z, gram_.threads()), times(space_.products(), Z, gram_.threads())};
}

}  // namespace dualkpca
