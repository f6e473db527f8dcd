#pragma once

#include "model/fitted_model.hpp"

namespace dualkpca {

/// J H rotation, with J = I - 11'/n if the features are centred.
[[nodiscard]] Matrix projection_coefficients(const Matrix& H, const Matrix& rotation, bool center);

/// Scores of the rows of X, k_x' coefficients - offset (Proposition 3.8; docs/math.md for the centring). Blocks of rows
/// in parallel; memory for one tile per thread.
[[nodiscard]] Matrix project(const FittedModel& model, const KernelParams& kernel, const SamplesView& X, int threads);

}  // namespace dualkpca
