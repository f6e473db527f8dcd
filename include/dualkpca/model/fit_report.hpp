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

/// A training row with an extreme weight. The weight of row i is |z_i| / |y_i|, where y_i are its scores and z_i what
/// the loss leaves of them: 1 means that the row counts in full. It is no outlier score: with a bounded kernel (rbf,
/// laplace, laplacian, matern, cosine) a gross outlier has no larger scores than other rows.
struct ExtremeRow {
  Index index = 0;    ///< index from 0
  std::string id{};   ///< name of the row, if rows have names
  double weight = 1;  ///< |z_i| / |y_i|
};

/// Report of a fit. The names are those of the JSON report, which docs/report.md describes.
/// G is the Gram matrix (the kernel values of all pairs of training rows, usually centred), and a product is one
/// multiplication of G by a block of columns. H are the dual variables and Y the training scores, both n_samples x
/// n_components. eta is the error of the solution, see EtaKind.
struct FitReport {
  Status status = Status::converged;
  StopReason stop_reason = StopReason::none;  ///< reason why the solver stopped; not part of the JSON report
  std::string message{};                      ///< one sentence if the status alone does not give the reason
  SolverName solver = SolverName::automatic;  ///< solver that ran
  std::string solver_reason{};                ///< reason why `auto` chose it; empty if the user chose it
  GramMode gram = GramMode::stored;           ///< storage of G
  Precision precision = Precision::float32;   ///< precision of G
  Index n_samples = 0;
  Index n_features = 0;
  Index features_used = 0;  ///< columns or directions that the kernel was evaluated on; 0 for a given kernel matrix
  Index n_components = 0;
  std::optional<Index> nonzeros{};  ///< stored entries of sparse rows; unset if the rows were dense
  std::optional<double> gamma{};    ///< gamma as it was used; unset if the kernel has none
  Index products = 0;               ///< number of products
  Index product_columns = 0;        ///< sum of their widths
  Index kernel_columns = 0;         ///< single columns of G that were evaluated, for landmarks or samples of rows
  Index iterations = 0;
  double tol = 0;  ///< tolerance for eta
  double eta = 0;
  EtaKind eta_kind = EtaKind::estimated;
  double dual_objective = 0;          ///< d(H); NaN for a landmark model
  double primal_objective = 0;        ///< p(H) = -F(Y), with F the loss; for the square loss -1/2 |Y|_F^2
  Vector eigenvalues{};               ///< eigenvalues of Y'Y, descending: the squared norms of the score columns
  Vector explained_variance_ratio{};  ///< eigenvalues / tr G
  Index support_size = 0;             ///< rows of H that are not all zero; for a landmark model, the landmarks
  LossName loss = LossName::square;
  std::optional<Norm> norm{};            ///< norm of the loss; unset if square
  std::optional<double> kappa{};         ///< hyperparameter of huber as it was used; unset for other losses
  std::optional<double> kappa_max{};     ///< largest row, entry or norm of the square-loss solution, if it was computed
  std::optional<double> epsilon{};       ///< hyperparameter of epsilon_insensitive as it was used; else unset
  std::optional<double> sparsity{};      ///< share of zero rows or entries of H; unset for loss square, norm frobenius
  std::optional<double> center_error{};  ///< |mean of the features - centre|, if the centre is made of a few rows
  std::optional<Index> center_landmarks{};  ///< number of these rows
  Index stored_rows = 0;                    ///< training rows that the model stores
  std::size_t model_bytes = 0;              ///< bytes of the arrays of the model file
  std::optional<Index> weighted_rows{};     ///< rows with a weight below 1, clipped or shrunk; unset if square
  std::vector<ExtremeRow> extreme_rows{};   ///< smallest weights for huber, else largest; empty for norm frobenius
  std::vector<StartReport> starts{};        ///< starting points of the solver, that of the solution first
  std::optional<Index> landmarks{};         ///< training rows that stand in for all; unset if there was a product
  std::optional<std::array<double, 2>> trace_interval{};  ///< interval that contains tr G, for a landmark model
  MemoryPlan plan{};
  std::size_t peak_memory_bytes = 0;
  std::vector<std::pair<std::string, double>> seconds{};  ///< seconds of each stage, in order; the total is their sum
  std::vector<std::string> notes{};                       ///< options that had no effect, and similar remarks
  std::optional<Limits> limits{};                         ///< limits of T2 and SPE; unset if none were wanted or found
  std::string version{};                                  ///< version of the library that made the fit; empty: this one
};

}  // namespace dualkpca
