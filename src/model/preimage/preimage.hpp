#pragma once

#include <optional>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/model/preimage.hpp"
#include "model/fitted_model.hpp"
#include "model/preimage/ridge_map.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {

/// The inverse transform that a model has learnt, from scores to rows.
struct Preimage {
  PreimageMethod method = PreimageMethod::ridge;  ///< never automatic
  PreimageReport report{};
  RidgeMap ridge{};  ///< used if the method is ridge

  /// Pre-images of the scores T (p x s), as the kernel sees rows; an iteration also starts at the rows of `near` (p x
  /// d, likewise).
  [[nodiscard]] Matrix apply(const FittedModel& model, ConstMatrixRef T, const std::optional<Matrix>& near,
                             int threads) const;
};

/// Learns the inverse transform from the given rows. Throws InvalidArgument if data and method do not go together,
/// Interrupted if the observer asks to stop.
[[nodiscard]] Preimage learn_preimage(const FittedModel& model, const PreimageParams& wanted, const StoredRows& rows,
                                      int threads, const Observer& observe);

}  // namespace dualkpca
