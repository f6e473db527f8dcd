#pragma once

#include <string>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/model/monitor.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// Statistics of training rows under models that have not seen them, or the reason why there are none.
struct HeldOut {
  RowStatistics statistics{};
  std::string problem{};    ///< empty if all went well
  bool is_stopped = false;  ///< the problem is that the observer wants no more
};

/// Fits folds of X, lagged already, with the gamma, the loss and the number of components that `model` ended with, and
/// a scaling of their own. Up to 10000 rows all folds; of more rows as many as it takes for 2000 held out, which is
/// one, so that the limits cost no more than another fit. `since_start`: of the fit, which may have a time limit.
[[nodiscard]] HeldOut held_out_statistics(const FittedModel& model, const KernelPCAParams& params, const SamplesView& X,
                                          const Timer& since_start, const Observer& observe);

}  // namespace dualkpca
