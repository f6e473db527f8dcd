#pragma once

#include "dualkpca/model/preimage.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {

/// Resolves `automatic` by the kernel and the loss of the model.
[[nodiscard]] PreimageWeights resolve_weights(PreimageWeights wanted, const FittedModel& model);

/// True if weights are updated from the residuals of the ridge regression, which is then solved repeatedly.
[[nodiscard]] bool reweighs(PreimageWeights kind);

/// Weights of the rows before any residual is known. Throws InvalidArgument if `kind` is dual and the rows are neither
/// those that the model holds nor all training rows.
[[nodiscard]] Vector prior_weights(PreimageWeights kind, const FittedModel& model, const StoredRows& rows,
                                   std::uint64_t seed, int threads);

}  // namespace dualkpca
