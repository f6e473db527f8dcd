#pragma once

#include <limits>
#include <optional>

#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"
#include "solver/heavy_rows.hpp"

namespace dualkpca {

/// Looks for components that a solver without a certificate has missed. Near the identity every block of columns has a
/// small residual, and one that has not moved from its random start may look converged.
///
/// A challenge is one product with directions orthogonal to the solution: its residual, a few random columns and, near
/// the identity, the rows of largest sums (solver/heavy_rows.hpp). If a Rayleigh-Ritz step on all of them explains
/// more, the solution was not the best one.
class Challenge {
 public:
  Challenge(const GramOperator& gram, Index s, const SolverParams& params);

  /// Returns a point with at most s columns that explains more than H, by more than half of tol, or nothing if there is
  /// none. Makes one product, or up to four near the identity.
  [[nodiscard]] std::optional<RitzPoint> better_than(const Matrix& H, const Matrix& GH);
  /// Returns the share of the explained variance by which the last challenge found more.
  [[nodiscard]] double gain() const { return gain_; }
  /// Returns the Ritz value after the s-th of the last challenge; infinite before it.
  [[nodiscard]] double next_value() const { return next_value_; }
  /// Returns the eta from a gradient at which the solution is to be challenged again, given the eta of the last one. It
  /// is smaller than tol if K is near the identity, where eigenvalues may be closer than that eta supposes.
  [[nodiscard]] double goal(double eta) const;

 private:
  [[nodiscard]] double eta_near_identity(const RitzPoint& at) const;
  [[nodiscard]] Matrix directions(const RitzPoint& at, const std::vector<Index>& rows);

  const GramOperator& gram_;
  Index s_;
  double tol_;
  std::uint64_t seed_;
  RankRule rule_;
  std::optional<HeavyRows> heavy_rows_{};  // set once it is needed
  double next_value_ = std::numeric_limits<double>::infinity();
  double gain_ = 0, eta_ = 0;  // the last challenge: the gain, and an eta that supposes no gap
};

}  // namespace dualkpca
