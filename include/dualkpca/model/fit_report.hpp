#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dualkpca/core/status.hpp"
#include "dualkpca/gram/plan.hpp"
#include "dualkpca/model/monitor.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// A row that stands out.
struct ExtremeRow {
  Index index = 0;    ///< from 0
  std::string id{};   ///< if the rows have any
  double weight = 1;  ///< |z_i| / |y_i|
};

/// What a fit did and how far it got. The names are those of the JSON report.
struct FitReport {
  Status status = Status::converged;
  StopReason stop_reason = StopReason::none;  ///< of the solver; not part of the JSON report
  std::string message{};                      ///< one sentence where the status alone does not say why
  SolverName solver = SolverName::automatic;  ///< the one that ran
  std::string solver_reason{};                ///< why it was chosen, if it was `auto`
  GramMode gram = GramMode::stored;
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
  EtaKind eta_kind = EtaKind::estimated;
  double dual_objective = 0;
  double primal_objective = 0;
  Vector eigenvalues{};               ///< of Y'Y, descending
  Vector explained_variance_ratio{};  ///< eigenvalues / tr G
  Index support_size = 0;             ///< rows of H that are not all zero; of a landmark model, the landmarks
  LossName loss = LossName::square;
  std::optional<Norm> norm{};            ///< of the loss; unset if square
  std::optional<double> kappa{};         ///< the number used; unset if the loss has none
  std::optional<double> kappa_max{};     ///< largest row, entry or norm of the square-loss solution, if that was needed
  std::optional<double> epsilon{};       ///< the number used; unset if the loss has none
  std::optional<double> sparsity{};      ///< share of zero rows or entries of H; unset for loss square, norm frobenius
  std::optional<double> center_error{};  ///< |mean of the features - centre|, where that is on few rows
  std::optional<Index> center_landmarks{};  ///< how many those are
  Index stored_rows = 0;                    ///< training rows that the model holds
  std::size_t model_bytes = 0;              ///< of the arrays of the model file
  std::optional<Index> weighted_rows{};     ///< rows with a weight below 1, clipped or shrunk; unset if square
  std::vector<ExtremeRow>
      extreme_rows{};                 ///< by weight: of huber the smallest, else the largest; none for norm frobenius
  std::vector<StartReport> starts{};  ///< that the solver started from; the one of the solution first
  std::optional<Index> landmarks{};   ///< of a model without a product; unset if there was one
  std::optional<std::array<double, 2>> trace_interval{};  ///< of tr G, where no product has shown it
  MemoryPlan plan{};
  std::size_t peak_memory_bytes = 0;
  std::vector<std::pair<std::string, double>> seconds{};  ///< by stage, in order; the total is their sum
  std::vector<std::string> notes{};                       ///< options that had no effect, and the like
  std::optional<Limits> limits{};                         ///< of T2 and SPE; unset if none were asked for or found
  std::string version{};                                  ///< of the library that made the fit; empty: this one
};

}  // namespace dualkpca
