#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/data/samples.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// Grid of a path: the hyperparameter that varies, and its values. huber has kappa, epsilon_insensitive has epsilon
/// (see LossParams).
struct PathParams {
  /// Field of LossParams that varies.
  enum class Over { kappa, kappa_ratio, epsilon };
  std::optional<Over> over{};         ///< unset: kappa for huber, epsilon for epsilon_insensitive
  std::vector<double> values{};       ///< in any order; empty: `points` values, chosen from the square-loss solution
  Index points = 10;                  ///< number of values if none are given, >= 1
  std::vector<Index> n_components{};  ///< numbers of components, each with its own grid; empty: that of the fit

  /// Throws InvalidArgument naming field, value and range.
  void validate(const LossParams& loss) const;
};

/// Returns the field called `name`. Throws InvalidArgument listing the accepted names.
[[nodiscard]] PathParams::Over parse_path_over(std::string_view name);

/// Solution for one number of components and one kappa or epsilon. The names are the columns of `dualkpca path`.
/// G is the Gram matrix (the kernel values of all pairs of training rows), H are the dual variables, Y the training
/// scores, and Z the scores after the loss has clipped or shrunk them. kappa_max is the largest size in the solution
/// for the square loss.
struct PathPoint {
  Index n_components = 0;
  Loss loss{};                       ///< loss and its hyperparameter; square for the first of each number of components
  double ratio = 0;                  ///< kappa or epsilon as a share of kappa_max; NaN for square
  double dual_objective = 0;         ///< d(H)
  double primal_objective = 0;       ///< p(H) = -F(Y)
  double reconstruction_error = 0;   ///< tr G - |Y|_F^2
  double error_ratio = 1;            ///< reconstruction error divided by that of the square loss
  std::optional<double> sparsity{};  ///< share of zero rows or entries of H; unset for square and norm frobenius
  Index support_size = 0;            ///< rows of H that are not all zero
  Index weighted_rows = 0;           ///< rows that the loss clips or shrinks
  double eta = 0;                    ///< residual |H - Z|_F / |Z|_F
  Status status = Status::converged;
  Index products = 0;  ///< multiplications of G by a block of columns, for this point
  double seconds = 0;
};

/// Solves the dual along a grid, of kappa downwards or of epsilon upwards. G is evaluated once, and each solution is a
/// starting point for the next (not with solver dca). `take` gets every point as soon as it is solved. A value that
/// makes everything zero gives a point with no support. Returns false if the observer ended the path early, after the
/// points that `take` got until then. Throws as KernelPCA::fit() does, and InvalidArgument if the loss is square.
bool fit_path(const KernelPCAParams& params, const PathParams& path, const SamplesView& X,
              const std::function<void(const PathPoint&)>& take, const Observer& observe = {});

}  // namespace dualkpca
