#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/data/samples.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// What a path runs over.
struct PathParams {
  /// What `values` are, one of the fields of LossParams.
  enum class Over { kappa, kappa_ratio, epsilon };
  std::optional<Over> over{};         ///< unset: kappa_ratio for huber, epsilon for epsilon_insensitive
  std::vector<double> values{};       ///< in any order; empty: `points` of them, chosen from the square-loss solution
  Index points = 10;                  ///< >= 1
  std::vector<Index> n_components{};  ///< empty: that of the fit

  /// Throws InvalidArgument naming field, value and range.
  void validate(const LossParams& loss) const;
};

/// By the name of the field. Throws InvalidArgument listing the accepted names.
[[nodiscard]] PathParams::Over parse_path_over(std::string_view name);

/// The solution for one number of components and one kappa or epsilon. The names are the columns of `dualkpca path`.
struct PathPoint {
  Index n_components = 0;
  Loss loss{};                       ///< square for the first of each number of components
  double ratio = 0;                  ///< kappa or epsilon as a share of kappa_max; NaN for square
  double dual_objective = 0;         ///< d(H)
  double primal_objective = 0;       ///< p(H) = -F(Y)
  double reconstruction_error = 0;   ///< tr G - |Y|_F^2
  double error_ratio = 1;            ///< the same divided by that of the square loss
  std::optional<double> sparsity{};  ///< unset for square and for norm frobenius
  Index support_size = 0;
  Index weighted_rows = 0;  ///< rows with a weight below 1
  double eta = 0;           ///< |H - Z|_F / |Z|_F
  Status status = Status::converged;
  Index products = 0;  ///< with G, for this point
  double seconds = 0;
};

/// Solutions along a grid, of kappa downwards or of epsilon upwards, each started from the one before (not with solver
/// dca); G is evaluated once. Every point is handed to `take` as soon as it is there. A value that makes everything
/// zero gives a point with no support. The observer may end it early: then the points so far are all there is, and
/// false is returned. Throws as KernelPCA::fit does, and InvalidArgument if the loss is square.
bool fit_path(const KernelPCAParams& params, const PathParams& path, const SamplesView& X,
              const std::function<void(const PathPoint&)>& take, const Observer& observe = {});

}  // namespace dualkpca
