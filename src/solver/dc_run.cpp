#include "solver/dc_run.hpp"

#include <algorithm>
#include <cmath>

namespace dualkpca {
namespace {

constexpr std::size_t compared_merits = 4;     // merits that a new one is compared with
constexpr double switch_residual = 1e-2;       // residual below which PANOC takes over from ADCA
constexpr int max_halvings = 12;               // halvings of a quasi-Newton step before a plain one is taken
constexpr double sufficient_decrease = 0.025;  // share of |r|^2 by which a quasi-Newton step has to lower the merit
constexpr Index refresh_every = 40;            // steps after which the product of x is computed anew, not combined

}  // namespace

Merit DcRun::evaluate(const WithProduct& point) const {
  return evaluate_merit(point.value, point.product, problem_.loss, problem_.rule, problem_.threads);
}

bool DcRun::is_low_enough(double merit) const {
  const std::size_t count = std::min(compared_merits, merits_.size());
  return merit <= *std::max_element(merits_.end() - static_cast<Index>(count), merits_.end());
}

void DcRun::advance(Matrix product) {
  previous_ = std::move(H_);
  H_ = {.value = std::move(next_point_), .product = std::move(product)};
  at_ = evaluate(H_);
  if (is_quasi_newton_) {
    quasi_newton_step();
    return;
  }
  merits_.push_back(at_.value);
  if (problem_.acceleration == Acceleration::quasi_newton && at_.residual() < switch_residual)
    start_quasi_newton();
  else if (problem_.acceleration == Acceleration::none || merits_.size() == 1)
    next_point_ = at_.Z;
  else
    extrapolate();
}

// Steps from H + (t - 1)/t+ (H - previous H) if its merit is low enough; else takes a plain step and resets the
// momentum.
void DcRun::extrapolate() {
  const double next = (1 + std::sqrt(1 + 4 * momentum_ * momentum_)) / 2;
  const double beta = (momentum_ - 1) / next;
  momentum_ = next;
  if (beta > 0) {
    WithProduct V = H_;
    V.add(beta, H_ - previous_);
    Merit at_extrapolated = evaluate(V);
    if (is_low_enough(at_extrapolated.value)) {
      next_point_ = std::move(at_extrapolated.Z);
      return;
    }
    momentum_ = 1;
  }
  next_point_ = at_.Z;
}

void DcRun::start_quasi_newton() {
  is_quasi_newton_ = true;
  previous_ = {};
  x_ = H_;
  at_x_ = at_;
  next_point_ = at_x_.Z;
}

// With z = Z(x), whose product has just been computed, and the residual r = x - z:  x+ = (1 - tau) z + tau (x - q),
// where q is the quasi-Newton direction for r and tau the first of 1, 1/2, ... with p(x+) <= p(x) - c |r(x+)|^2. The
// plain step x+ = z always satisfies this, since p(z) <= d(z) - 1/2 |r(z)|^2 and d(z) <= p(x).
void DcRun::quasi_newton_step() {
  const WithProduct residual = x_ - H_;
  if (last_x_.value.size() > 0) pairs_.push(x_ - last_x_, residual - last_residual_);
  WithProduct target = x_;
  WithProduct next = H_;
  Merit at_next = at_;
  const bool refresh = ++steps_ % refresh_every == 0;
  if (!pairs_.empty() && !refresh) {
    target.add(-1, pairs_.direction(residual));
    const double noise = problem_.noise * std::abs(at_x_.value);
    bool accepted = false;
    double tau = 1;
    for (int k = 0; k < max_halvings && !accepted; ++k, tau /= 2) {
      WithProduct trial = H_;
      trial.add(tau, target - H_);
      Merit at_trial = evaluate(trial);
      accepted = at_trial.value <= at_x_.value + noise - sufficient_decrease * at_trial.distance * at_trial.distance;
      if (!accepted) continue;
      next = std::move(trial);
      at_next = std::move(at_trial);
    }
    if (!accepted) pairs_.clear();
  }
  last_x_ = std::move(x_);
  last_residual_ = residual;
  x_ = std::move(next);
  at_x_ = std::move(at_next);
  merits_.push_back(at_x_.value);
  next_point_ = at_x_.Z;
}

}  // namespace dualkpca
