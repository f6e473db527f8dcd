#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

struct RidgeConstraints {
  std::optional<double> gamma{}, alpha{};  ///< unset: to be chosen
  std::uint64_t seed = 0;                  ///< of the rows looked at where there are many
};

struct RidgeChoice {
  double gamma = 0, alpha = 0;
  double error = 0;  ///< root mean square of a left-out entry
};

/// Width of the rbf kernel and ridge of the regression from T (n x s) to X (n x d) whose left-out rows are predicted
/// best, over a grid around the median distance, in closed form, on at most 1000 rows. `weights`: of the rows;
/// `robust`: rows that are far off do not count for more than others. Costs one decomposition of 1000 x 1000 for every
/// width; `check_interrupt` is called between them and may throw.
[[nodiscard]] RidgeChoice choose_ridge(const Matrix& T, const Matrix& X, const Vector& weights, bool robust,
                                       const RidgeConstraints& constraints, int threads,
                                       const std::function<void()>& check_interrupt = {});

}  // namespace dualkpca
