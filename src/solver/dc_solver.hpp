#pragma once

#include "dualkpca/solver/solver.hpp"
#include "solver/dc_run.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {

/// A point to start from, and its name in the report.
struct NamedStart {
  std::string name{};
  Matrix H{};
};

/// Result of the best of a set of runs.
struct DcOutcome {
  Matrix H{};  ///< an output of prox, unless the start was within the tolerance already
  Matrix GH{};
  Merit at{};
  double eta = 0;
  Status status = Status::converged;
  StopReason stop_reason = StopReason::none;
  std::string message{};
  Index iterations = 0;
  std::vector<StartReport> starts{};  ///< the best first

  /// Returns true if the time limit was reached or the observer asked to stop.
  [[nodiscard]] bool is_interrupted() const {
    return status == Status::time_limit || stop_reason == StopReason::requested;
  }
};

/// Runs the DC algorithm from all starts at once, as one wide block, and drops the worst runs on the way. Stops when
/// eta <= tol, or when `limits` or max_iter end it. `before`: iterations made earlier, for the observer. With tol 0 the
/// plain algorithm stops by the paper's rule, an absolute change of d below the machine precision.
[[nodiscard]] DcOutcome run_dc(const GramOperator& gram, const DcRun::Problem& problem, std::vector<NamedStart> starts,
                               double tol, Index max_iter, const RunLimits& limits, Index before = 0);

/// Returns Problem::noise for products in the precision of G.
[[nodiscard]] inline double merit_noise(const GramOperator& gram) {
  return gram.precision() == Precision::float32 ? 1e-9 : 1e-15;
}

/// Returns eta of a point: the estimate of fill_result.hpp for the square loss, else the fixed-point residual.
[[nodiscard]] double eta_of(const Matrix& H, const Merit& at, const Loss& loss);

}  // namespace dualkpca
