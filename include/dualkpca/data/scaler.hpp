#pragma once

#include <string_view>

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// none; standard: mean 0, standard deviation 1; robust: median 0, interquartile range 1; minmax: to [0, 1].
/// A column without spread is only shifted. Quantiles interpolate linearly, as numpy's do.
enum class Scaling { none, standard, robust, minmax };

[[nodiscard]] std::string_view to_string(Scaling scaling);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] Scaling parse_scaling(std::string_view name);

/// x -> (x - center) / scale per column. Learnt on the training rows and kept in the model.
struct Scaler {
  Scaling scaling = Scaling::none;
  Vector center{};  ///< d entries, empty for none
  Vector scale{};   ///< d entries, positive, empty for none

  [[nodiscard]] static Scaler fit(Scaling scaling, const SamplesView& X);
  /// In place on one row of d numbers.
  void apply(double* row) const;
  /// What apply() does, undone.
  void revert(double* row) const;
};

}  // namespace dualkpca
