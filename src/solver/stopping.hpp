#pragma once

#include <limits>

#include "dualkpca/core/timer.hpp"
#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

// Everything that ends a solver before its tolerance is met. Each class watches one sequence of numbers and is asked
// once per iteration.

/// Stops a solver by time, or because the observer says so.
class RunLimits {
 public:
  RunLimits(const SolverParams& params, const Observer& observe) : params_(params), observe_(observe) {}

  /// Returns true if the solver must stop, with the reason in `result`. `eta` may be NaN if it is not known.
  [[nodiscard]] bool reached(Index iteration, double eta, SolveResult& result) const;

 private:
  const SolverParams& params_;
  const Observer& observe_;
  Timer timer_;
};

/// Counts how many values in a row were not clearly below the best one before them.
class StallCounter {
 public:
  /// A value counts as clearly below `best` if it is less than factor * best. `best`: the number that the first value
  /// is compared with.
  explicit StallCounter(double factor, double best = std::numeric_limits<double>::infinity())
      : factor_(factor), best_(best) {}
  /// Takes the next value and returns the count, which is 0 if the value is clearly below the best.
  Index next(double value);

 private:
  double factor_, best_;
  Index since_ = 0;
};

/// Notices that a residual has stopped falling: what is left of it is rounding.
class ResidualFloor {
 public:
  /// `rounding`: the size that rounding may give the residual; larger ones are never at the floor.
  [[nodiscard]] bool reached(double residual, double rounding);

 private:
  StallCounter stalled_{0.5};
};

/// Notices that more products hardly improve a certified eta: eigenvalues close to the s-th keep the bound large.
class CertificateStall {
 public:
  [[nodiscard]] bool reached(double eta);

 private:
  StallCounter stalled_{0.9, 1};
};

/// Notices that eta has stopped falling although d no longer changes: only the rounding of the products is left.
class DualStall {
 public:
  /// `value`: d(H). `rounding`: change of d that errors of G alone can cause, see dual_rounding().
  [[nodiscard]] bool reached(double eta, double value, double rounding);

 private:
  double best_eta_ = std::numeric_limits<double>::infinity();
  double value_ = 0;  // d where eta was best
  Index since_ = 0;
};

/// Returns the change of d(H) = value that rounding in G can cause, with s components.
[[nodiscard]] double dual_rounding(double value, const GramOperator& gram, const RankRule& rule, Index s);

/// Notices that neither eta nor the merit of a DC run has moved for long: only rounding is left. The merit is of second
/// order in the error of a product, so changes far below the precision of G are real.
class MeritStall {
 public:
  /// `noise`: relative size of a change of the merit that means nothing. `patience`: iterations without a move.
  [[nodiscard]] bool reached(double eta, double merit, double noise, Index patience);

 private:
  double eta_ = std::numeric_limits<double>::infinity(), merit_ = std::numeric_limits<double>::infinity();
  Index since_ = 0;
};

/// Returns the largest eta that counts as converged. With tol 0 an eta as small as rounding allows is wanted.
[[nodiscard]] double enough_eta(const SolverParams& params, Precision precision);

/// Makes status, eta and message agree: a result is converged if and only if its eta is small enough and of the kind
/// that was asked for. One that the observer has stopped stays stopped.
void reconcile(SolveResult& result, const SolverParams& params, Precision precision);

/// Records in `result` that rounding keeps the solver from its tolerance; `eta` is the smallest it can reach.
void stop_by_rounding(SolveResult& result, double eta, Precision precision);

/// Returns the message of stop_by_rounding().
[[nodiscard]] std::string rounding_message(double eta, Precision precision);

}  // namespace dualkpca
