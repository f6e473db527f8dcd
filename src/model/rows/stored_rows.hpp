#pragma once

#include "model/fitted_model.hpp"

namespace dualkpca {

/// Training rows with what the model has learnt about each, in float64, as pre-images need them.
struct StoredRows {
  Matrix X{};       ///< m x d, as the kernel sees them: scaled and shifted
  Matrix scores{};  ///< m x s
  Vector spe{};     ///< m, squared distances of their features from the span of the components
};

/// The rows that the model holds. Throws InvalidArgument if they are sparse. Not of a precomputed kernel, which has
/// none.
[[nodiscard]] StoredRows stored_rows(const FittedModel& model, int threads);

/// Squared distances |t_i - y_l|^2 + spe_l of the points with scores T (p x s) in the span from the features of the
/// stored rows: p x m. The residual of a row is orthogonal to the span.
[[nodiscard]] Matrix feature_distances(const StoredRows& rows, ConstMatrixRef T);

}  // namespace dualkpca
