#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dualkpca/core/status.hpp"
#include "dualkpca/gram/plan.hpp"

namespace dualkpca {

/// What a fit did and how far it got. The names are those of the JSON report.
struct FitReport {
  Status status = Status::converged;
  std::string message{};        ///< one sentence where the status alone does not say why
  std::string solver{};         ///< the one that ran
  std::string solver_reason{};  ///< why it was chosen, if it was `auto`
  std::string gram{};
  Precision precision = Precision::float32;
  Index n_samples = 0;
  Index n_features = 0;
  Index features_used = 0;  ///< columns or directions that the kernel was evaluated on; 0 if there was no kernel
  Index n_components = 0;
  std::optional<Index> nonzeros{};  ///< stored entries of sparse rows; unset if the rows were dense
  std::optional<double> gamma{};    ///< the number used; unset if the kernel has none
  Index products = 0;
  Index product_columns = 0;
  Index kernel_columns = 0;
  Index iterations = 0;
  double tol = 0;
  double eta = 0;
  std::string eta_kind = "estimated";
  double dual_objective = 0;
  double primal_objective = 0;
  Vector eigenvalues{};               ///< of Y'Y, descending
  Vector explained_variance_ratio{};  ///< eigenvalues / tr G
  Index support_size = 0;             ///< rows of H that are not all zero; of a landmark model, the landmarks
  std::optional<Index> landmarks{};   ///< of a model without a product; unset if there was one
  std::optional<std::array<double, 2>> trace_interval{};  ///< of tr G, where no product has shown it
  MemoryPlan plan{};
  std::size_t peak_memory_bytes = 0;
  std::vector<std::pair<std::string, double>> seconds{};  ///< by stage, in order; the total is their sum
  std::vector<std::string> notes{};                       ///< options that had no effect, and the like
  std::string version{};                                  ///< of the library that made the fit; empty: this one
};

}  // namespace dualkpca
