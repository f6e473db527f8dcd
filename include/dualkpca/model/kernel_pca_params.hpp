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

/// A number of components, or the share of the variance they shall explain.
struct Components {
  Index count = 2;      ///< used if fraction is 0
  double fraction = 0;  ///< in (0, 1)

  Components() = default;
  Components(int n) : count(n) {}        // NOLINT: `.n_components = 20` is how people write it
  Components(Index n) : count(n) {}      // NOLINT
  Components(double f) : fraction(f) {}  // NOLINT
};

/// "20" or "0.95". Throws InvalidArgument.
[[nodiscard]] Components parse_components(std::string_view text);

/// Everything a fit depends on. Field names are the options of the command, with '-' for '_'.
struct KernelPCAParams {
  Components n_components{};             ///< s, 1 <= s <= n, or a share of the variance in (0, 1)
  KernelParams kernel{};                 ///< k(x, y)
  LossParams loss{};                     ///< square, robust or sparse
  bool center = true;                    ///< centre the features
  Scaling scale = Scaling::none;         ///< of the columns, kept in the model
  Index lags = 0;                        ///< rows before each row that belong to its sample, for series; kept too
  SolverParams solver{};                 ///< algorithm, tolerance, limits, seed
  GramMode gram = GramMode::automatic;   ///< where G lives
  std::optional<Precision> precision{};  ///< of G; unset: float32 if tol >= 1e-5, else float64
  std::size_t memory = 0;                ///< budget in bytes; 0: what is available now
  std::size_t input_memory = 0;          ///< bytes of that budget that the given rows take already; not stored
  int threads = 0;                       ///< 0: all processors
  MonitorParams monitor{};               ///< limits of T2 and SPE

  /// Throws InvalidArgument naming the field, its value and its range. Called by fit().
  void validate(Index n_samples) const;
};

}  // namespace dualkpca
