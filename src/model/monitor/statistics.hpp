#pragma once

#include "dualkpca/model/monitor.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// T2 of scores: squared distance from the mean of the training scores, in units of their covariance.
class ScoreDistance {
 public:
  /// Throws InvalidArgument if the model file predates these fields.
  explicit ScoreDistance(const FittedModel& model);

  /// Number of directions in which the training scores vary.
  [[nodiscard]] Index rank() const { return whitening_.cols(); }
  /// T2 of m x s scores: m values.
  [[nodiscard]] Vector operator()(const Matrix& scores) const;
  /// Half of the gradient, Cov^+ (y - ybar), m x s.
  [[nodiscard]] Matrix half_gradient(const Matrix& scores) const;

 private:
  Vector mean_;
  Matrix whitening_;  ///< s x rank, W W' = Cov^+
};

/// T2 and SPE of samples, which already have their lags.
[[nodiscard]] RowStatistics row_statistics(const FittedModel& model, const SamplesView& samples, int threads);

/// T2 and SPE of the training rows; after fit() only.
[[nodiscard]] RowStatistics training_statistics(const FittedModel& model);

}  // namespace dualkpca
