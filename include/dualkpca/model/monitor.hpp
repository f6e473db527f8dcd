#pragma once

#include <string_view>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Where the limits of T2 and SPE come from; on the command line none, auto, cv, training, chi2, weighted_chi2.
enum class LimitKind {
  none,
  automatic,        ///< cross_validated up to 5000 rows, else training
  cross_validated,  ///< quantile of rows that the components were not learnt from
  training,         ///< quantile of the training rows, which are nearer to the span than new ones: SPE too low
  chi2,             ///< Hotelling's F for T2, a scaled chi2 with the mean and variance of the training SPE
  weighted_chi2,    ///< chi2 for T2, a weighted sum of chi2 with the spectrum of the residuals for SPE
};
[[nodiscard]] std::string_view to_string(LimitKind kind);
/// Throws InvalidArgument.
[[nodiscard]] LimitKind parse_limit_kind(std::string_view name);

/// What a fit learns for monitoring.
struct MonitorParams {
  LimitKind limits = LimitKind::none;  ///< the command fits with automatic
  double level = 0.99;                 ///< share of rows like the training rows below each limit, in [0.5, 1)
  Index folds = 5;                     ///< of cross_validated, >= 2

  /// Throws InvalidArgument naming the field, its value and its range.
  void validate() const;
};

/// A row is an outlier if its T2 or its SPE is above its limit.
struct Limits {
  LimitKind kind = LimitKind::none;  ///< never none or automatic once fitted
  double level = 0;
  double t2 = 0;
  double spe = 0;
  Index rows = 0;  ///< how many rows the limits are from
};

/// Of m rows, docs/math.md#monitoring.
struct RowStatistics {
  Vector t2{};   ///< (y - ybar)' Cov^+ (y - ybar): how far out the scores y are, in units of the training scores
  Vector spe{};  ///< squared distance of the feature from the span of the components
};

/// What each column adds to the statistics of m rows, m x n_features.
struct Contributions {
  Matrix t2{};
  Matrix spe{};
};

}  // namespace dualkpca
