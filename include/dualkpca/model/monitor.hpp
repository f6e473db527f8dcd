#pragma once

#include <string_view>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

// Two statistics say how unusual a row is. T2, Hotelling's T-squared, is its squared distance from the centre within
// the components, where each component is measured in units of its own standard deviation. SPE, the squared prediction
// error, is the squared distance in feature space between the row and its projection onto the components.

/// Method for the limits of T2 and SPE; on the command line none, auto, cv, training, chi2, weighted_chi2.
enum class LimitKind {
  none,
  automatic,        ///< cross_validated up to 5000 rows, else training
  cross_validated,  ///< quantile over rows that the components were not learnt from
  training,         ///< quantile over the training rows; too low for SPE, since components are nearer to these rows
  chi2,             ///< T2 by Hotelling's F; SPE by a scaled chi2 with the mean and variance of the training SPE
  weighted_chi2,    ///< T2 by a chi2; SPE by a weighted sum of chi2 with the spectrum of the residuals
};
[[nodiscard]] std::string_view to_string(LimitKind kind);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] LimitKind parse_limit_kind(std::string_view name);

/// Parameters of the limits that a fit learns for monitoring.
struct MonitorParams {
  LimitKind limits = LimitKind::none;  ///< method; the default of the command is automatic
  double level = 0.99;                 ///< share of rows like the training rows below each limit, in [0.5, 1)
  Index folds = 5;                     ///< folds of cross_validated, >= 2

  /// Throws InvalidArgument naming the field, its value and its range.
  void validate() const;
};

/// Limits of T2 and SPE. A row is called an outlier if its T2 or its SPE is above its limit.
struct Limits {
  LimitKind kind = LimitKind::none;  ///< method; never none or automatic once fitted
  double level = 0;                  ///< share of rows like the training rows below each limit
  double t2 = 0;                     ///< limit of T2
  double spe = 0;                    ///< limit of SPE
  Index rows = 0;                    ///< number of rows that the limits were learnt from
};

/// Statistics of m rows (docs/math.md#monitoring). y are the scores of a row, ybar and Cov the mean and covariance of
/// the training scores.
struct RowStatistics {
  Vector t2{};   ///< (y - ybar)' Cov^+ (y - ybar)
  Vector spe{};  ///< squared distance of the row in feature space from the span of the components
};

/// Contributions of the columns to the statistics of m rows, each m x n_features.
struct Contributions {
  Matrix t2{};
  Matrix spe{};
};

}  // namespace dualkpca
