#pragma once

#include <optional>
#include <string>

#include "dualkpca/core/status.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Options of KernelPCA::check(). G is the Gram matrix, the kernel values of all pairs of training rows. A product is
/// one multiplication of G by a block of columns.
struct CheckParams {
  double tol = 0;                        ///< tolerance for eta; 0: that of the fit, but at least 1e-9
  std::optional<Precision> precision{};  ///< precision of G; unset: float64 if that fits the budget, else float32
  std::size_t memory = 0;                ///< budget in bytes; 0: what is available now
  std::size_t input_memory = 0;          ///< bytes of that budget that the given rows take already
  Index max_iter = 100;                  ///< largest number of products after the one at the solution
  double time_limit = 0;                 ///< seconds; 0: no limit
  std::uint64_t seed = 1;                ///< seed of the random probes behind the bound
  int threads = 0;                       ///< number of threads; 0: all processors
};

/// Result of KernelPCA::check(). The names are those of `dualkpca check --json`. H are the dual variables of the model,
/// d(H) is their objective, and Lambda_s(G) is the sum of the s largest eigenvalues of G.
struct CheckReport {
  /// For the square loss an upper bound of the relative error 1 - 2|d(H)| / Lambda_s(G), if eta_kind is certified. For
  /// other losses the residual of the equations of a critical point.
  double eta = 1;
  EtaKind eta_kind = EtaKind::estimated;
  double eta_low = 0;                 ///< lower bound of the same error; for other losses eta again
  double tol = 0;                     ///< tolerance for eta
  Status status = Status::converged;  ///< converged: eta <= tol
  std::string message{};              ///< reason if eta > tol; may be empty
  double dual_objective = 0;          ///< d(H), from a fresh product
  double upper_bound = 0;             ///< upper bound of Lambda_s(G); NaN for losses other than square
  double lower_bound = 0;  ///< lower bound of Lambda_s(G), from Ritz values; NaN for losses other than square
  Precision precision = Precision::float64;
  Index products = 0;         ///< number of products
  Index product_columns = 0;  ///< sum of their widths
  Index kernel_columns = 0;   ///< single columns of G that were evaluated
  double seconds = 0;
};

}  // namespace dualkpca
