#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Returns the quantile of the chi-squared distribution at `level`; 0 < level < 1, any degrees of freedom > 0.
[[nodiscard]] double chi2_quantile(double level, double degrees);

/// Returns the quantile of Fisher's F distribution.
[[nodiscard]] double f_quantile(double level, double numerator, double denominator);

/// Returns the quantile of sum_j weights_j chi2_1 with weights >= 0, approximated by the chi2 with the same mean,
/// variance and third moment (Hall 1983; Buckley and Eagleson 1988).
[[nodiscard]] double weighted_chi2_quantile(double level, const Vector& weights);

}  // namespace dualkpca
