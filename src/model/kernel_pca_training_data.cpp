#include <algorithm>

#include "dualkpca/model/kernel_pca.hpp"
#include "model/fitted_model.hpp"
#include "model/monitor/statistics.hpp"
#include "model/rows/all_rows.hpp"

namespace dualkpca {

const Matrix& KernelPCA::scores() const { return fitted().scores; }

Vector KernelPCA::row_weights() const { return all_row_weights(fitted()); }

Matrix KernelPCA::dual_variables() const {
  return fitted().holds == Holds::landmarks ? fitted().scores : all_dual_variables(fitted());
}

Samples KernelPCA::training_rows() const {
  const Samples& rows = fitted().rows;
  const Preprocessing& input = fitted().input;
  return rows.view().is_sparse() ? input.reverted(rows) : Samples(input.reverted(rows.view().to_matrix()));
}

std::vector<Index> KernelPCA::training_row_indices() const { return fitted().held_indices(); }

std::vector<Index> KernelPCA::support() const {
  const FittedModel& model = fitted();
  const std::vector<Index> held = model.held_indices();
  std::vector<Index> rows;
  if (model.holds == Holds::landmarks) rows = held;
  for (Index i = 0; i < model.H.rows(); ++i)
    if (!model.H.row(i).isZero(0)) rows.push_back(held[static_cast<std::size_t>(i)]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

RowStatistics KernelPCA::training_statistics() const {
  const FittedModel& model = fitted();
  RowStatistics statistics;
  if (model.scores.rows() == model.n_samples) statistics.t2 = ScoreDistance(model)(model.scores);
  if (model.training_spe.size() > 0)
    statistics.spe = model.training_spe;
  else if (model.row_spe.size() == model.n_samples)  // loaded from a file that holds all rows
    statistics.spe = model.row_spe;
  return statistics;
}

}  // namespace dualkpca
