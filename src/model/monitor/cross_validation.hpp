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
  bool is_stopped = false;  ///< the problem is that the observer asked to stop
};

/// Fits a model to the samples with the indices `learnt` and gives the statistics of those with `held_out` under it.
using FitFold = std::function<HeldOut(const KernelPCAParams& params, const std::vector<Index>& learnt,
                                      const std::vector<Index>& held_out)>;

/// Fits folds of the samples, which already have their lags, with the gamma, the loss and the number of components of
/// `model`, and a scaling of their own. Up to 10000 rows all folds are fitted. With more rows, folds are fitted until
/// 2000 rows were held out, which takes one of five folds, so that the limits cost no more than another fit.
/// `since_start`: the clock of the fit, which may have a time limit.
[[nodiscard]] HeldOut held_out_statistics(const FittedModel& model, const KernelPCAParams& params,
                                          const SamplesView& samples, const FitFold& fit_fold,
                                          const Timer& since_start);

}  // namespace dualkpca
