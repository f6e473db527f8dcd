#pragma once

#include <limits>
#include <optional>

#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"
#include "solver/heavy_rows.hpp"
#include "solver/krylov_process.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {

/// Looks for what a solver without a basis has missed, and measures how near the next eigenvalues are. A point that has
/// not moved from its random start may look converged, and the same residual means another eta for every gap between
/// the eigenvalues.
///
/// A challenge is a few steps of block Krylov that begin with the solution, its residual, a few random columns and,
/// near the identity, the rows of largest sums (solver/heavy_rows.hpp).
class Challenge {
 public:
  Challenge(const GramOperator& gram, Index s, const SolverParams& params, const RunLimits& limits);

  /// Returns a point with at most s columns that explains more than H, by more than half of tol, or nothing if there is
  /// none. Makes three to eight products, as many as tell whether eta is at most tol, and none after one that finds a
  /// better point or that reaches a limit. `iteration`: that of the solver, for the observer.
  [[nodiscard]] std::optional<RitzPoint> better_than(const Matrix& H, const Matrix& GH, Index iteration);
  /// Returns an estimate of eta of the last solution that was challenged, or of the better point; 0 before the first
  /// challenge. It uses the measured gap.
  [[nodiscard]] double eta() const { return eta_; }
  /// Returns the Ritz value after the s-th of the last challenge; infinite before it.
  [[nodiscard]] double next_value() const { return next_value_; }
  /// Returns the eta from a gradient at which the solution is to be challenged again, given the one, `seen`, at which
  /// the last challenge was made. It is less than `seen` if eta() is above tol.
  [[nodiscard]] double goal(double seen) const;

 private:
  [[nodiscard]] std::vector<Index> heavy_rows(const Vector& theta);
  [[nodiscard]] double gain_of(const KrylovProcess& process, double sum) const;
  [[nodiscard]] RitzPoint point_of(const KrylovProcess& process) const;
  [[nodiscard]] double eta_near_identity(const RitzPoint& at, Index rank) const;

  const GramOperator& gram_;
  Index s_;
  double tol_, rounding_;  // rounding_: a share of the sum of eigenvalues
  const RunLimits& limits_;
  std::uint64_t seed_;
  RankRule rule_;
  std::optional<HeavyRows> heavy_rows_{};  // set once it is needed
  double next_value_ = std::numeric_limits<double>::infinity();
  double eta_ = 0;
};

}  // namespace dualkpca
