#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dualkpca/data/scaler.hpp"
#include "dualkpca/gram/plan.hpp"
#include "dualkpca/kernel/kernel_params.hpp"
#include "dualkpca/model/monitor.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Number of components, or the share of the variance that they must explain.
struct Components {
  Index count = 2;      ///< number; used if fraction is 0
  double fraction = 0;  ///< share in (0, 1), or 0

  Components() = default;
  Components(int n) : count(n) {}        // NOLINT: `.n_components = 20` is how people write it
  Components(Index n) : count(n) {}      // NOLINT
  Components(double f) : fraction(f) {}  // NOLINT
};

/// Parses a number of components such as "20" or a share such as "0.95". Throws InvalidArgument for any other text.
[[nodiscard]] Components parse_components(std::string_view text);

/// All parameters of a fit. Most have the name of the option of the command, with '_' for '-'.
struct KernelPCAParams {
  Components n_components{};             ///< s, 1 <= s <= n, or a share of the variance in (0, 1)
  KernelParams kernel{};                 ///< kernel function k(x, y)
  LossParams loss{};                     ///< square, robust or sparse
  bool center = true;                    ///< subtract the mean of the training rows in feature space
  Scaling scale = Scaling::none;         ///< scaling of the columns, kept in the model
  Index lags = 0;                        ///< time series: earlier rows that belong to each sample; kept in the model
  SolverParams solver{};                 ///< algorithm, tolerance, limits, seed
  GramMode gram = GramMode::automatic;   ///< storage of the Gram matrix
  std::optional<Precision> precision{};  ///< precision of the Gram matrix; unset: float32 if tol >= 1e-5, else float64
  std::size_t memory = 0;                ///< budget in bytes; 0: what is available now
  std::size_t input_memory = 0;          ///< bytes of that budget that the given rows take already; not stored
  int threads = 0;                       ///< number of threads; 0: all processors
  MonitorParams monitor{};               ///< limits of the statistics T2 and SPE

  /// Throws InvalidArgument naming the field, its value and its range. Called by fit().
  void validate(Index n_samples) const;
};

}  // namespace dualkpca
