#include "solver/krylov_process.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca {
namespace {

constexpr Index error_rows = 256;                 // rows on which rounding is measured
constexpr double error_safety = 2;                // measured norms were 0.86 to 1.11 times the true ones
constexpr Index steps_before_judging_probes = 3;  // steps before a set of probes may be given up

}  // namespace

KrylovProcess::KrylovProcess(const GramOperator& gram, Index s, const Options& options)
    : gram_(gram),
      s_(s),
      options_(options),
      centered_(&gram.uncentered() != &gram),
      space_(gram.size(), gram.threads()) {
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
    space_.join(V.rightCols(r), GV.rightCols(r), 0.5);  // their products improve the basis, too
  }
  analyse();
}

void KrylovProcess::analyse() {
  ritz_ = space_.ritz();
  spectrum_ = {.theta = ritz_.values};
  const Index width = std::min(options_.block, space_.size());
  const Matrix Z = ritz_.vectors.leftCols(width);
  Matrix R = times(space_.products(), Z, gram_.threads());
  add_times(R, space_.basis(), Z * ritz_.values.head(width).asDiagonal(), -1.0, 1.0, gram_.threads());
  residual_norm_ = R.leftCols(std::min(s_, width)).norm();
  // Residuals that are rounding give no useful direction.
  const double rounding = epsilon_of(Precision::float64) * std::abs(ritz_.values[0]);
  std::vector<Index> alive;
  for (Index j = 0; j < width; ++j)
    if (R.col(j).norm() > rounding) alive.push_back(j);
  next_ = space_.size() < gram_.size() ? space_.orthonormal_residuals(Matrix(R(Eigen::all, alive)))
                                       : Matrix(gram_.size(), 0);
}

const BasisSpectrum& KrylovProcess::spectrum_with_residual() const {
  if (spectrum_.residual.rows() != spectrum_.theta.size()) spectrum_ = space_.spectrum(ritz_);
  return spectrum_;
}

double KrylovProcess::estimated_eta(double enough) const {
  const double sum = spectrum_.sum(s_);
  const Index m = spectrum_.theta.size();
  if (m < s_) return next_.cols() == 0 ? 0 : 1;
  const Vector theta = spectrum_.theta.head(s_);
  // This bound is sharp once the residuals are far below the gaps, and it is final when the basis cannot grow.
  const double by_residual = residual_excess(theta, m > s_ ? std::max(0.0, spectrum_.theta[s_]) : 0, residual_norm_);
  const double rough = eta_of_excess(sum, by_residual, s_);
  if (next_.cols() == 0 || rough <= enough) return rough;
  const double sharp = loewner_excess(spectrum_with_residual(), s_, estimate_outside());
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
  const double failure = options_.failure * std::pow(0.5, static_cast<double>(probe_sets_));
  probes_ = std::make_unique<EigenvalueProbes>(
      P, options_.probes, centered_, failure,
      options_.seed + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(probe_sets_), gram_.threads());
}

void KrylovProcess::restart() {
  const Index kept = std::min(space_.size() - 1, std::max(2 * s_, s_ + options_.block));
  keep_certificate();
  space_.compress(ritz_.vectors.leftCols(kept));
  probes_.reset();  // the part they are independent of is gone
  ritz_ = space_.ritz();
}

double KrylovProcess::estimate_outside() const {
  // The last block contains the directions in which most is missing. Its largest Rayleigh quotient, with a quarter
  // added for other directions, estimates the largest eigenvalue outside the basis. One above theta_s would soon be
  // part of the basis.
  const double seen = small_eigenvalues(space_.projected(last_block_start_, last_block_columns_))[0];
  return std::min(1.25 * seen, spectrum_.theta[std::min(s_, spectrum_.theta.size()) - 1]);
}

double KrylovProcess::bound_outside() const {
  if (is_complete()) return 0;
  if (!options_.use_probes) return estimate_outside();
  if (!probes_ || probes_->steps() == 0) return std::numeric_limits<double>::infinity();
  const double rounding = 10 * epsilon_of(gram_.precision()) * std::abs(spectrum_.theta[0]);
  return probes_->bound() + rounding;
}

void KrylovProcess::keep_certificate() {
  if (!probes_) return;
  const auto [excess, errors] = certificate();
  // The rounding error of this sum is part of the bound, since a later sum that is compared with it has its own.
  const double rounding = 2 * std::sqrt(static_cast<double>(s_)) * errors.ritz;
  certified_sum_ = std::min(certified_sum_, spectrum_.sum(s_) + excess + rounding);
}

double KrylovProcess::certified_excess() const {
  const double b = bound_outside(), now = std::isfinite(b) ? loewner_excess(spectrum_with_residual(), s_, b) : b;
  return std::min(now, certified_sum_ - spectrum_.sum(s_));
}

KrylovProcess::Certificate KrylovProcess::certificate() const {
  const double b = bound_outside();
  const double earlier = certified_sum_ - spectrum_.sum(s_);
  if (!std::isfinite(b) && !std::isfinite(earlier)) return {b, {}};
  const ProductErrors errors = measure_errors();
  return {std::min(std::isfinite(b) ? loewner_excess(spectrum_with_residual(), s_, b, errors) : b, earlier), errors};
}

ProductErrors KrylovProcess::measure_errors() const {
  const Index n = gram_.size(), m = space_.size();
  const std::vector<Index> sample = random_subset(n, error_rows, options_.seed + 1);
  const auto count = static_cast<Index>(sample.size());
  const GramOperator& K = gram_.uncentered();
  Matrix exact = Matrix::Zero(count, m);
  // Centring removes the column means of Q, however small they are.
  const Eigen::RowVectorXd means =
      centered_ ? Eigen::RowVectorXd(space_.basis().colwise().mean()) : Eigen::RowVectorXd::Zero(m);
  constexpr Index panel = 4096;
  std::vector<Index> rows;
  for (Index first = 0; first < n; first += panel) {
    rows.resize(static_cast<std::size_t>(std::min(panel, n - first)));
    std::iota(rows.begin(), rows.end(), first);
    const auto length = static_cast<Index>(rows.size());
    Matrix block(length, count);
    K.exact_block(rows, sample, block);
    const Matrix Q = space_.basis().middleRows(first, length).rowwise() - means;
    exact += inner(block, Q, gram_.threads());
  }
  Matrix D = Matrix(space_.products()(sample, Eigen::all)) - exact;
  // Centring subtracts a constant from every column of GQ, which `exact` still contains.
  if (centered_) D.rowwise() -= D.colwise().mean().eval();
  const double scale = (count < n ? error_safety : 1) * std::sqrt(static_cast<double>(n) / static_cast<double>(count));
  const double ritz = scale * (D * ritz_.vectors.leftCols(std::min(s_, m))).norm();
  // If the sample has fewer rows than columns, its norm tends to be too large, not too small.
  const double spectral = scale * std::sqrt(std::max(0.0, small_eigenvalues(D * D.transpose())[0]));
  const double across = std::sqrt(static_cast<double>(std::min(s_, m))) * spectral;  // |D'U|_F at most
  return {.ritz = ritz, .coupling = ritz + 0.5 * std::min(across, scale * D.norm()), .spectral = 2 * spectral};
}

double KrylovProcess::lowest_quotient() const {
  const double basis = spectrum_.theta[spectrum_.theta.size() - 1];
  return probes_ ? std::min(basis, probes_->lowest()) : basis;
}

KrylovProcess::Vectors KrylovProcess::ritz_vectors(Index count) const {
  const Matrix Z = ritz_.vectors.leftCols(std::min(count, space_.size()));
  return {times(space_.basis(), Z, gram_.threads()), times(space_.products(), Z, gram_.threads())};
}

}  // namespace dualkpca
