#pragma once

#include <string_view>

namespace dualkpca {

/// Reason why a solver returned. Its best point is kept in every case. eta is the error of the solution (see EtaKind),
/// and tol is the tolerance for it.
enum class Status {
  converged,        ///< eta <= tol
  iteration_limit,  ///< max_iter reached first
  time_limit,       ///< time_limit reached first
  stopped,          ///< the observer asked to stop, or the solver cannot reach tol (FitReport::message says why)
};

[[nodiscard]] constexpr std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged: return "converged";
    case Status::iteration_limit: return "iteration_limit";
    case Status::time_limit: return "time_limit";
    case Status::stopped: return "stopped";
  }
  return "unknown";
}

}  // namespace dualkpca
