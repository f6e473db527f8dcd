#include "solver/landmark_solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/tall_matrix.hpp"
#include "solver/certificate.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

constexpr Index sampled_rows = 128;    // rows sampled for the estimate
constexpr double trace_to_error = 50;  // the certificate from the trace is about 17 to 50 times the error

}  // namespace

LandmarkSolution::LandmarkSolution(const GramOperator& gram, Index s, const SolverParams& params,
                                   const GramFacts& facts)
    : gram_(gram),
      s_(s),
      params_(params),
      positive_(facts.positive),
      needs_certificate_(params.accuracy == Accuracy::certified),
      centered_(&gram.uncentered() != &gram),
      factor_(gram.uncentered(), params.seed, facts.memory) {}

const LandmarkFactor::Spectrum& LandmarkSolution::spectrum(Index count) {
  if (spectrum_size_ != factor_.size() || spectrum_.values.size() < count) {
    spectrum_ = factor_.spectrum(std::max(count, 2 * s_ + 1), centered_);
    spectrum_size_ = factor_.size();
  }
  return spectrum_;
}

void LandmarkSolution::run(const Plan& plan, const Observer& observe, SolveResult& result) {
  const RunLimits limits(params_, observe);
  const Index most = std::min(plan.most, gram_.size());
  bool is_known = false;  // eta is that of the last factor
  while (factor_.size() < most && factor_.is_positive()) {
    earlier_size_ = factor_.size();
    earlier_trace_ = factor_.residual_trace();
    // Every round reads all rows again, so there should be few rounds. They must not be too large either: an early end
    // would save less, and the observer is asked only between them.
    const Index more = std::max({Index{32}, plan.least / 2, std::min<Index>(512, factor_.size() / 2)});
    if (!factor_.grow(std::min(more, most - factor_.size()))) break;
    update_eta(false);
    is_known = is_met() && (kind_ == EtaKind::certified || !plan.prefer_certificate || is_out_of_reach(most, true));
    if (is_known) break;
    if (limits.reached(0, eta_, result)) break;
    if (!plan.stop_if_out_of_reach || factor_.size() < plan.least) continue;
    if (spectrum_size_ < 0) (void)spectrum(s_ + 1);
    if (!is_met() && is_out_of_reach(most, needs_certificate_)) break;
  }
  if (!positive_) is_indefinite_ = factor_.look_for_negative(params_.seed + 3);
  if (!is_known || !factor_.is_positive()) update_eta(true);
}

bool LandmarkSolution::is_out_of_reach(Index most, bool certificate) const {
  if (earlier_size_ == 0) return false;
  if (certificate && !positive_) return true;
  const double sum = spectrum_.values.head(s_).sum(), now = factor_.residual_trace();
  const double wanted = params_.tol * (certificate ? 1 : trace_to_error) * sum;
  if (now <= wanted) return false;
  // The trace falls like a power of the number of landmarks, or faster.
  const double ratio = static_cast<double>(factor_.size()) / static_cast<double>(earlier_size_);
  const double power = std::log(earlier_trace_ / now) / std::log(ratio);
  if (!(power > 0)) return true;
  return static_cast<double>(factor_.size()) * std::pow(now / wanted, 1 / power) > static_cast<double>(most);
}

void LandmarkSolution::update_eta(bool last) {
  const double left = factor_.residual_trace(), factor = needs_certificate_ ? 1 : trace_to_error;
  if (factor_.size() == 0 || !factor_.is_positive()) {
    eta_ = 1;
    kind_ = EtaKind::estimated;
    return;
  }
  // The s components explain at most the trace. While eta would be above tol even then, their spectrum is not needed.
  if (!last && left > factor * params_.tol * factor_.trace()) return;
  if (spectrum_size_ >= 0 && !last && left > factor * params_.tol * spectrum_.values.head(s_).sum()) return;
  const double sum = spectrum(s_ + 1).values.head(s_).sum();
  // Ghat <= G, so Lambda_s(Ghat) <= Lambda_s(G) <= Lambda_s(Ghat) + tr E, centred or not. This holds only if E >= 0.
  eta_ = eta_of_excess(sum, left, s_);
  kind_ = positive_ && factor_.is_positive() ? EtaKind::certified : EtaKind::estimated;
  if (is_met() || (needs_certificate_ && kind_ == EtaKind::certified) || eta_ > trace_to_error * params_.tol) return;
  if (const double estimated = estimate(); estimated < eta_) {
    eta_ = estimated;
    kind_ = EtaKind::estimated;
  }
}

double LandmarkSolution::estimate() const {
  const Index n = gram_.size();
  const Vector theta = spectrum_.values.head(s_);
  if (!(theta[s_ - 1] > 0)) return 1;
  const Matrix V = spectrum_.vectors.leftCols(s_) * theta.cwiseSqrt().cwiseInverse().asDiagonal();
  const Matrix U = factor_.scores(V, spectrum_.mean);
  // GU - U Theta = J E U for the residual E = K - FF'. Rows of E are sampled with probabilities from its diagonal: a
  // few rows far from all landmarks can contain most of it.
  const auto [sample, weights] = factor_.sample_residual(sampled_rows, params_.seed + 2);
  const auto count = static_cast<Index>(sample.size());
  if (count == 0) return 0;  // the residual is zero
  Matrix R = Matrix::Zero(count, s_);
  constexpr Index panel = 16384;
  for (Index first = 0; first < n; first += panel) {
    std::vector<Index> rows(static_cast<std::size_t>(std::min(panel, n - first)));
    std::iota(rows.begin(), rows.end(), first);
    Matrix block(static_cast<Index>(rows.size()), count);
    gram_.uncentered().exact_block(rows, sample, block);
    R += inner(block, U.middleRows(first, block.rows()), gram_.threads());
  }
  const Matrix F = factor_.rows(sample);
  R -= F * factor_.product_with(U);
  const double rho = (weights.cwiseSqrt().asDiagonal() * R).norm();
  // Estimates the largest eigenvalue of E from its entries at the same rows; a flat spectrum is overestimated.
  Matrix E(count, count);
  gram_.uncentered().exact_block(sample, sample, E);
  E -= F * F.transpose();
  E = weights.cwiseSqrt().asDiagonal() * E * weights.cwiseSqrt().asDiagonal();
  const double hidden = std::min(factor_.residual_trace(), small_eigenvalues(E)[0]);
  // The components explain tr U'EU less than the Rayleigh quotients of their directions.
  const double between = (weights.asDiagonal() * Matrix(U(sample, Eigen::all)).cwiseProduct(R)).sum();
  const double excess = residual_excess(theta, spectrum_.values[s_] + hidden, rho) + std::max(0.0, between);
  return eta_of_excess(theta.sum(), excess, s_);
}

bool LandmarkSolution::misses_no_component() const {
  return positive_ && spectrum_size_ == factor_.size() && factor_.residual_trace() < spectrum_.values[s_ - 1];
}

Matrix LandmarkSolution::vectors(Index count) {
  const LandmarkFactor::Spectrum& at = spectrum(count);
  return factor_.scores(at.vectors.leftCols(count), at.mean);
}

void LandmarkSolution::fill_result(SolveResult& result) {
  const LandmarkFactor::Spectrum& at = spectrum(s_ + 1);
  const double rounding = epsilon_of(Precision::float64) * static_cast<double>(factor_.size() + 1) * factor_.trace();
  Matrix V = at.vectors.leftCols(s_);
  for (Index j = 0; j < s_; ++j)
    if (at.values[j] <= rounding) V.col(j).setZero();
  result.H = factor_.scores(V, at.mean);
  result.GH = Matrix(gram_.size(), 0);
  result.eta = eta_;
  result.eta_kind = kind_;
  result.dual_objective = std::numeric_limits<double>::quiet_NaN();
  result.primal_objective = -0.5 * result.H.squaredNorm();
  const double trace = factor_.trace() - static_cast<double>(gram_.size()) * at.mean.squaredNorm();
  result.landmarks = Landmarks{.rows = factor_.pivots(),
                               .coefficients = factor_.coefficients(V),
                               .offset = V.transpose() * at.mean,
                               .trace_low = centered_ ? std::max(at.trace, trace - factor_.residual_trace()) : trace,
                               .trace_high = trace,
                               .kernel_mean = at.mean.squaredNorm(),
                               .center = factor_.coefficients(at.mean),
                               .center_values = factor_.scores(at.mean, Vector::Zero(at.mean.size()))};
}

}  // namespace dualkpca
