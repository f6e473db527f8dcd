#pragma once

#include <cmath>
#include <limits>

#include "dualkpca/core/timer.hpp"
#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Looks whether a solver has to stop before its tolerance: by time, or because the observer says so.
class RunLimits {
 public:
  RunLimits(const SolverParams& params, const Observer& observe) : params_(params), observe_(observe) {}

  /// True if so, with the reason in `result`. `eta` may be NaN where it is not known.
  [[nodiscard]] bool reached(Index iteration, double eta, SolveResult& result) const {
    if (params_.time_limit > 0 && timer_.seconds() > params_.time_limit) {
      result.status = Status::time_limit;
      return true;
    }
    if (!observe_ ||
        observe_({.stage = Progress::Stage::solve, .iteration = iteration, .eta = eta, .tol = params_.tol}))
      return false;
    result.status = Status::stopped;
    result.message = stopped_on_request;
    return true;
  }

 private:
  const SolverParams& params_;
  const Observer& observe_;
  Timer timer_;
};

/// For Stagnation: of d(H) = value, with s components.
[[nodiscard]] inline double rounding_of(double value, const GramOperator& gram, const RankRule& rule, Index s) {
  return 16 * epsilon_of(gram.precision()) * std::abs(value) + static_cast<double>(s) * rule.absolute;
}

/// Notices when eta has stopped falling although d no longer changes: then the product's rounding is all that is left.
class Stagnation {
 public:
  /// `rounding`: what d may change by on account of the errors of G alone.
  bool operator()(double eta, double value, double rounding) {
    if (eta < 0.9 * best_eta_) best_eta_ = eta, since_ = 0, value_ = value;
    return ++since_ > patience && std::abs(value - value_) <= rounding;
  }

 private:
  static constexpr Index patience = 20;  // iterations without a better eta before rounding is suspected
  double best_eta_ = std::numeric_limits<double>::infinity(), value_ = 0;
  Index since_ = 0;
};

}  // namespace dualkpca
