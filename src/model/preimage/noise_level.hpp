#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Standard deviation of independent normal noise on every column that would make the training rows X (n x d) as far
/// from each other's nearest, in the median, as the rows Z (m x d) are from theirs; 0 if they are no farther. Looks at
/// 400 of each.
[[nodiscard]] double noise_level(const Matrix& X, const Matrix& Z, std::uint64_t seed);

}  // namespace dualkpca
