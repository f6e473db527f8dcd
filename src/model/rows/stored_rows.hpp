#pragma once

#include "model/fitted_model.hpp"

namespace dualkpca {

/// Training rows with what the model has learnt about each, in float64, as pre-images need them.
struct StoredRows {
  Matrix X{};       ///< m x d, as the kernel sees them: scaled and shifted
  Matrix scores{};  ///< m x s
  Vector spe{};     ///< m, squared distances of their features from the span of the components
};

/// The rows that the model holds. Throws InvalidArgument if they are sparse. Not for a precomputed kernel, which has
/// none.
[[nodiscard]] StoredRows stored_rows(const FittedModel& model, int threads);

/// Squared distances |t_i - y_l|^2 + spe_l (p x m) between the points in the span with scores T (p x s) and the
/// features of the stored rows. They add up like this because the residual of a row is orthogonal to the span.
[[nodiscard]] Matrix feature_distances(const StoredRows& rows, ConstMatrixRef T);

}  // namespace dualkpca
