#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Standard deviation of independent normal noise on every column with which the training rows X (n x d) would be as
/// far from their nearest other training row, in the median, as the rows Z (m x d) are; 0 if those are no farther. Uses
/// at most 400 rows of each.
[[nodiscard]] double noise_level(const Matrix& X, const Matrix& Z, std::uint64_t seed);

}  // namespace dualkpca
