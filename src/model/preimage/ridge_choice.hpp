#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

struct RidgeConstraints {
  std::optional<double> gamma{}, alpha{};  ///< unset: to be chosen
  std::uint64_t seed = 0;                  ///< seed of the sample of rows, if there are many
};

struct RidgeChoice {
  double gamma = 0, alpha = 0;
  double error = 0;  ///< root mean square error of a left-out entry
};

/// Chooses gamma of the rbf kernel and the regularisation strength alpha of the ridge regression from T (n x s) to X (n
/// x d) that predict left-out rows best, over a grid around the median distance. The errors have a closed form and are
/// computed on at most 1000 rows. `weights`: row weights; `robust`: caps the errors of rows that fit badly. Costs one
/// decomposition of 1000 x 1000 for every width; `check_interrupt` is called between them and may throw.
[[nodiscard]] RidgeChoice choose_ridge(const Matrix& T, const Matrix& X, const Vector& weights, bool robust,
                                       const RidgeConstraints& constraints, int threads,
                                       const std::function<void()>& check_interrupt = {});

}  // namespace dualkpca
