#pragma once

#include <string_view>

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Scaling of the columns. none: none; standard: to mean 0 and standard deviation 1; robust: to median 0 and
/// interquartile range 1; minmax: to [0, 1]. A column without spread is only shifted. Quantiles interpolate linearly,
/// as NumPy's do.
enum class Scaling { none, standard, robust, minmax };

[[nodiscard]] std::string_view to_string(Scaling scaling);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] Scaling parse_scaling(std::string_view name);

/// Map x -> (x - center) / scale of every column. It is learnt from the training rows and kept in the model.
struct Scaler {
  Scaling scaling = Scaling::none;
  Vector center{};  ///< one entry per column; empty for Scaling::none
  Vector scale{};   ///< one positive entry per column; empty for Scaling::none

  /// Learns center and scale from the rows of X. Throws DataError for values that are not finite or too large.
  [[nodiscard]] static Scaler fit(Scaling scaling, const SamplesView& X);
  /// Scales one row of d numbers in place.
  void apply(double* row) const;
  /// Undoes apply().
  void revert(double* row) const;
};

}  // namespace dualkpca
