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
  RidgeMap ridge{};  ///< if the method is

  /// Rows as the kernel sees them, of the scores T (p x s); `near` (p x d, likewise) are rows to begin an iteration at.
  [[nodiscard]] Matrix apply(const FittedModel& model, ConstMatrixRef T, const std::optional<Matrix>& near,
                             int threads) const;
};

/// From the given rows. Throws InvalidArgument where data and method do not go together, Interrupted if the observer
/// says so.
[[nodiscard]] Preimage learn_preimage(const FittedModel& model, const PreimageParams& wanted, const StoredRows& rows,
                                      int threads, const Observer& observe);

}  // namespace dualkpca
