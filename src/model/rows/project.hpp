#pragma once

#include "model/fitted_model.hpp"

namespace dualkpca {

/// Checks X and returns its samples with their lags; every method that takes rows calls this first. Throws DataError
/// for a wrong number of columns or a value that is not finite.
[[nodiscard]] Samples checked_samples(const FittedModel& model, const SamplesView& X);

/// J H rotation, with J = I - 11'/n if the features are centred.
[[nodiscard]] Matrix projection_coefficients(const Matrix& H, const Matrix& rotation, bool center);

/// Scores of the samples, k_x' coefficients - offset (Proposition 3.8; docs/math.md for the centring). Blocks of rows
/// in parallel; memory for one tile per thread.
[[nodiscard]] Matrix project(const FittedModel& model, const SamplesView& samples, int threads);

/// Returns k_x' C for the samples x; C has a row for every held row. Writes k(x, x) to `self` if that is not null.
[[nodiscard]] Matrix kernel_times(const FittedModel& model, const Matrix& C, const SamplesView& samples, int threads,
                                  double* self = nullptr);

/// Scores, and the squared distances of the features from the span of the components, which goes through the centre.
struct Projection {
  Matrix scores{};  ///< m x s
  Vector spe{};     ///< m
};
/// Not for kernel precomputed, which does not contain k(x, x). Throws like center_weights().
[[nodiscard]] Projection project_with_spe(const FittedModel& model, const SamplesView& samples, int threads);

/// Weights of the held rows in the centre, zeros if there is none. Throws InvalidArgument if the model file predates
/// this field.
[[nodiscard]] Vector center_weights(const FittedModel& model);

}  // namespace dualkpca
