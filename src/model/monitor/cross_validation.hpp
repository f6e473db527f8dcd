#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dualkpca/core/timer.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"
#include "dualkpca/model/monitor.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// Statistics of training rows under models that have not seen them, or the reason why there are none.
struct HeldOut {
  RowStatistics statistics{};
  std::string problem{};    ///< empty if all went well
  bool is_stopped = false;  ///< the problem is that the observer wants no more
};

/// Fits a model to the samples with the indices `learnt` and gives the statistics of those with `held_out` under it.
using FitFold = std::function<HeldOut(const KernelPCAParams& params, const std::vector<Index>& learnt,
                                      const std::vector<Index>& held_out)>;

/// Fits folds of the samples, which are lagged already, with the gamma, the loss and the number of components that
/// `model` ended with, and a scaling of their own. Up to 10000 rows all folds; of more rows as many as it takes for
/// 2000 held out, which is one, so that the limits cost no more than another fit. `since_start`: the clock of the fit,
/// which may have a time limit.
[[nodiscard]] HeldOut held_out_statistics(const FittedModel& model, const KernelPCAParams& params,
                                          const SamplesView& samples, const FitFold& fit_fold,
                                          const Timer& since_start);

}  // namespace dualkpca
