#pragma once

#include <optional>
#include <string>

#include "dualkpca/core/status.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// How KernelPCA::check() works.
struct CheckParams {
  double tol = 0;                        ///< where eta has to be; 0: the tolerance of the fit
  std::optional<Precision> precision{};  ///< of G; unset: float64 if that fits the budget
  std::size_t memory = 0;                ///< budget in bytes; 0: what is available now
  std::size_t input_memory = 0;          ///< bytes of that budget that the given rows take already
  Index max_iter = 100;                  ///< products at most, after the one at H
  double time_limit = 0;                 ///< seconds, 0 for none
  std::uint64_t seed = 1;                ///< of the probes
  int threads = 0;                       ///< 0: all processors
};

/// What is known about a stored solution after it was looked at afresh. The names are those of `dualkpca check --json`.
struct CheckReport {
  double eta = 1;  ///< 1 - 2|d(H)| / Lambda_s(G) is at most this; of other losses than square the residual
  EtaKind eta_kind = EtaKind::estimated;
  double eta_low = 0;  ///< and at least this
  double tol = 0;
  Status status = Status::converged;  ///< converged: eta <= tol
  std::string message{};
  double dual_objective = 0;  ///< d(H), from a fresh product
  double upper_bound = 0;     ///< on Lambda_s(G), the sum of the s largest eigenvalues
  double lower_bound = 0;     ///< the sum of the s largest Ritz values met
  Precision precision = Precision::float64;
  Index products = 0;
  Index product_columns = 0;
  Index kernel_columns = 0;
  double seconds = 0;
};

}  // namespace dualkpca
