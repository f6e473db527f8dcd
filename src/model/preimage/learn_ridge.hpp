#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/model/preimage.hpp"
#include "model/fitted_model.hpp"
#include "model/preimage/ridge_map.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {

/// The ridge from the scores of the stored rows, with the wanted noise on them, to the rows; width and ridge as wanted
/// or by leave-one-out, on as many centres as wanted, the rows weighed as wanted. Says in the report what it chose.
/// Throws Interrupted if the observer, asked between decompositions, says so.
[[nodiscard]] RidgeMap learn_ridge(const FittedModel& model, const StoredRows& rows, const PreimageParams& wanted,
                                   PreimageReport& report, int threads, const Observer& observe);

}  // namespace dualkpca
