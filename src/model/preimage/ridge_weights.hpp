#pragma once

#include "dualkpca/model/preimage.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {

/// What `automatic` stands for with the kernel and the loss of the model.
[[nodiscard]] PreimageWeights resolve_weights(PreimageWeights wanted, const FittedModel& model);

/// True if the weights fall further with what the ridge says of a row, so that it is solved again and again.
[[nodiscard]] bool reweighs(PreimageWeights kind);

/// Weights of the rows before any residual is known. Throws InvalidArgument if `kind` is dual and the rows are neither
/// those that the model holds nor all training rows.
[[nodiscard]] Vector prior_weights(PreimageWeights kind, const FittedModel& model, const StoredRows& rows,
                                   std::uint64_t seed, int threads);

}  // namespace dualkpca
