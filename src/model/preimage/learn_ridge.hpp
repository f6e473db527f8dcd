#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/model/preimage.hpp"
#include "model/fitted_model.hpp"
#include "model/preimage/ridge_map.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {

/// Learns the ridge regression from the scores of the stored rows, with the noise that `wanted` asks for, to the rows.
/// Kernel width and regularisation strength are given or chosen by leave-one-out; `wanted` also sets the number of
/// centres and the row weights. The report says what was chosen. Throws Interrupted if the observer, which is asked
/// between decompositions, asks to stop.
[[nodiscard]] RidgeMap learn_ridge(const FittedModel& model, const StoredRows& rows, const PreimageParams& wanted,
                                   PreimageReport& report, int threads, const Observer& observe);

}  // namespace dualkpca
