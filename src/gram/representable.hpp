#pragma once

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Throws DataError if a matrix with this diagonal leaves the range of T. The largest entry of a positive semi-definite
/// matrix is on its diagonal, so checking the diagonal is enough.
template <class T>
void require_representable(const Vector& diagonal) {
  const double largest = diagonal.cwiseAbs().maxCoeff(), n = static_cast<double>(diagonal.size());
  // Solvers work in float64 with squares of eigenvalues, which must not overflow either.
  constexpr bool narrow = precision_of<T> == Precision::float32;
  constexpr double lowest = narrow ? 1e8 * static_cast<double>(std::numeric_limits<T>::min()) : 1e-140;
  constexpr double highest = narrow ? 0.1 * static_cast<double>(std::numeric_limits<T>::max()) : 1e150;
  const char* advice = precision_of<T> == Precision::float32 ? ", or use precision float64" : "";
  if (!(largest * n < highest))
    throw DataError(
        fmt::format("kernel values reach {:.3g}, too large for {}: scale the data or lower gamma or degree{}", largest,
                    to_string(precision_of<T>), advice));
  if (largest > 0 && largest < lowest)
    throw DataError(fmt::format("kernel values are at most {:.3g}, too small for {}: scale the data{}", largest,
                                to_string(precision_of<T>), advice));
}

}  // namespace dualkpca
