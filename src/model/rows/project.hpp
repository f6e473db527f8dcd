#pragma once

#include "model/fitted_model.hpp"

namespace dualkpca {

/// J H rotation, with J = I - 11'/n if the features are centred.
[[nodiscard]] Matrix projection_coefficients(const Matrix& H, const Matrix& rotation, bool center);

/// Scores of the rows of X, k_x' coefficients - offset (Proposition 3.8; docs/math.md for the centring). Blocks of rows
/// in parallel; memory for one tile per thread. X has the columns of the kernel's rows: lagged, if the model says so.
[[nodiscard]] Matrix project(const FittedModel& model, const KernelParams& kernel, const SamplesView& X, int threads);

/// k_x' C for the rows x of X, C with a row for every stored row; and k(x, x) if `self` is not null.
[[nodiscard]] Matrix kernel_times(const FittedModel& model, const KernelParams& kernel, const Matrix& C,
                                  const SamplesView& X, int threads, double* self = nullptr);

/// Scores, and the squared distances of the features from the span of the components, which goes through the centre.
struct Projection {
  Matrix scores{};  ///< m x s
  Vector spe{};     ///< m
};
/// `center` has the weights of center_weights(). Not of kernel precomputed: it does not tell k(x, x).
[[nodiscard]] Projection project_with_spe(const FittedModel& model, const KernelParams& kernel, const Vector& center,
                                          const SamplesView& X, int threads);

/// Weights of the stored rows in the centre, zeros if there is none. Throws InvalidArgument if an early model file does
/// not tell.
[[nodiscard]] Vector center_weights(const FittedModel& model, bool centered);

/// Throws DataError for a wrong number of columns, before lags, or a value that is not finite.
void require_columns(const FittedModel& model, const KernelParams& kernel, const SamplesView& X);

}  // namespace dualkpca
