#include <algorithm>
#include <numeric>

#include "dualkpca/model/kernel_pca.hpp"
#include "model/fitted_model.hpp"
#include "model/monitor/statistics.hpp"
#include "model/rows/stored_rows.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {

Samples KernelPCA::training_rows() const {
  const TrainingRows& rows = fitted().rows;
  if (!rows.is_sparse()) return Samples(original_rows(fitted(), widened(rows)));
  // Sparse rows are stored as they came: neither a shift nor a scale would leave their zeros.
  return {rows.memory,
          rows.precision == Precision::float32 ? SamplesView(rows.sparse<float>()) : rows.sparse<double>()};
}

std::vector<Index> KernelPCA::training_row_indices() const {
  const FittedModel& model = fitted();
  if (model.is_landmark_model()) return model.landmarks;
  if (model.is_sparse) return model.kept;
  std::vector<Index> all(static_cast<std::size_t>(model.report.n_samples));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::vector<Index> KernelPCA::support() const {
  const FittedModel& model = fitted();
  std::vector<Index> rows;
  if (model.is_landmark_model()) rows = model.landmarks;
  for (Index i = 0; i < model.H.rows(); ++i)
    if (!model.H.row(i).isZero(0)) rows.push_back(model.is_sparse ? model.kept[static_cast<std::size_t>(i)] : i);
  std::sort(rows.begin(), rows.end());
  return rows;
}

RowStatistics KernelPCA::training_statistics() const {
  const FittedModel& model = fitted();
  RowStatistics statistics;
  if (model.scores.rows() == model.report.n_samples) statistics.t2 = ScoreDistance(model)(model.scores);
  if (model.training_spe.size() > 0)
    statistics.spe = model.training_spe;
  else if (model.row_spe.size() == model.report.n_samples)  // of a file that holds all rows
    statistics.spe = model.row_spe;
  return statistics;
}

}  // namespace dualkpca
