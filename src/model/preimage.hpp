#pragma once

#include <optional>

#include "dualkpca/model/preimage.hpp"
#include "model/fitted_model.hpp"
#include "model/ridge_map.hpp"

namespace dualkpca {

/// The way back from scores to rows that a model has learnt.
struct Preimage {
  PreimageMethod method = PreimageMethod::ridge;  ///< never automatic
  PreimageReport report{};
  RidgeMap ridge{};  ///< of method ridge

  /// Rows as the kernel sees them, of the scores T (p x s); `near` (p x d, likewise) are rows to begin an iteration at.
  [[nodiscard]] Matrix apply(const FittedModel& model, const KernelPCAParams& params, ConstMatrixRef T,
                             const std::optional<Matrix>& near, int threads) const;
};

/// The kernel of the fit with its width.
[[nodiscard]] KernelFormula kernel_of_fit(const FittedModel& model, const KernelParams& kernel);

/// Throws InvalidArgument where kernel, data and method do not go together.
[[nodiscard]] Preimage learn_preimage(const FittedModel& model, const KernelPCAParams& params,
                                      const PreimageParams& wanted, int threads);

}  // namespace dualkpca
