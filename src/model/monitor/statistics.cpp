#include "model/monitor/statistics.hpp"

#include "core/small_eigen.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {

// Components that are rounding have scores of exactly 0 (RankRule), so only rounding in float64 is left to drop.
ScoreDistance::ScoreDistance(const FittedModel& model) : mean_(model.score_mean) {
  if (mean_.size() == 0)
    throw InvalidArgument("the model is of an earlier version, which did not store what T2 and SPE need: fit it again");
  static_cast<void>(compute_threads(1));
  const SmallEigen eigen = small_eigen(model.score_covariance);
  const double smallest =
      static_cast<double>(model.n_samples) * epsilon_of(Precision::float64) * std::max(0.0, eigen.values[0]);
  const Index rank = (eigen.values.array() > smallest).count();
  whitening_ = eigen.vectors.leftCols(rank) * eigen.values.head(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

Vector ScoreDistance::operator()(const Matrix& scores) const {
  return times(scores.rowwise() - mean_.transpose(), whitening_).rowwise().squaredNorm();
}

Matrix ScoreDistance::half_gradient(const Matrix& scores) const {
  const Matrix whitened = (scores.rowwise() - mean_.transpose()) * whitening_;
  return whitened * whitening_.transpose();
}

RowStatistics row_statistics(const FittedModel& model, const SamplesView& samples, int threads) {
  const ScoreDistance distance(model);
  Projection projection = project_with_spe(model, samples, threads);
  return {.t2 = distance(projection.scores), .spe = std::move(projection.spe)};
}

RowStatistics training_statistics(const FittedModel& model) {
  return {.t2 = ScoreDistance(model)(model.scores), .spe = model.training_spe};
}

}  // namespace dualkpca
