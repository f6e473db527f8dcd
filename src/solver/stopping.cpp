#include "solver/stopping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/fill_result.hpp"

namespace dualkpca {

bool RunLimits::reached(Index iteration, double eta, SolveResult& result) const {
  if (params_.time_limit > 0 && timer_.seconds() > params_.time_limit) {
    result.status = Status::time_limit;
    return true;
  }
  if (!observe_ || observe_({.stage = Progress::Stage::solve, .iteration = iteration, .eta = eta, .tol = params_.tol}))
    return false;
  result.status = Status::stopped;
  result.stop_reason = StopReason::requested;
  result.message = stopped_on_request;
  return true;
}

Index StallCounter::next(double value) {
  since_ = value < factor_ * best_ ? 0 : since_ + 1;
  best_ = std::min(best_, value);
  return since_;
}

bool ResidualFloor::reached(double residual, double rounding) {
  constexpr Index patience = 3;
  if (residual > rounding) return false;
  return stalled_.next(residual) >= patience;
}

bool CertificateStall::reached(double eta) {
  constexpr Index patience = 12;  // products
  return stalled_.next(eta) >= patience;
}

bool DualStall::reached(double eta, double value, double rounding) {
  constexpr Index patience = 20;  // iterations without a better eta before rounding is suspected
  if (eta < 0.9 * best_eta_) best_eta_ = eta, since_ = 0, value_ = value;
  return ++since_ > patience && std::abs(value - value_) <= rounding;
}

double dual_rounding(double value, const GramOperator& gram, const RankRule& rule, Index s) {
  return 16 * epsilon_of(gram.precision()) * std::abs(value) + static_cast<double>(s) * rule.absolute;
}

bool MeritStall::reached(double eta, double merit, double noise, Index patience) {
  const double move = noise * std::abs(merit);
  const bool moved = eta < 0.9 * eta_ || merit < merit_ - move;
  eta_ = std::min(eta, eta_);
  if (moved) since_ = 0, merit_ = std::min(merit, merit_);
  return ++since_ > patience;
}

double enough_eta(const SolverParams& params, Precision precision) {
  if (params.tol > 0) return params.tol;
  return precision == Precision::float32 ? 1e-5 : 1e-9;
}

void reconcile(SolveResult& result, const SolverParams& params, Precision precision) {
  const bool is_known = result.eta_kind != EtaKind::stationary || params.tol > 0;  // with tol 0 dca has its own rule
  const bool is_kind = params.accuracy == Accuracy::estimated || result.eta_kind == EtaKind::certified;
  const bool is_met = is_kind && result.eta <= enough_eta(params, precision);
  if (result.status == Status::converged && is_known && !is_met) {
    result.status = Status::stopped;
    result.stop_reason = is_kind ? StopReason::rounding : StopReason::not_certified;
    if (result.message.empty())
      result.message = is_kind ? rounding_message(result.eta, precision) : not_certified_message(result, precision);
  }
  if (result.stop_reason == StopReason::rounding && result.eta_kind == EtaKind::estimated && is_kind)
    result.message = rounding_message(result.eta, precision);  // an earlier message may have had another eta
  const bool may_converge = result.status != Status::converged && result.stop_reason != StopReason::requested;
  if (may_converge && is_met && params.tol > 0) {
    result.status = Status::converged;
    result.stop_reason = StopReason::none;
    result.message.clear();
  }
}

std::string rounding_message(double eta, Precision precision) {
  return fmt::format("rounding in {} allows no eta below {:.1e}{}", to_string(precision), eta,
                     precision == Precision::float32 ? "; use precision float64" : "");
}

void stop_by_rounding(SolveResult& result, double eta, Precision precision) {
  result.status = Status::stopped;
  result.stop_reason = StopReason::rounding;
  result.message = rounding_message(eta, precision);
}

}  // namespace dualkpca
