#pragma once

#include <cstdint>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// rows x cols independent N(0,1) entries; the same for the same seed.
[[nodiscard]] Matrix random_normal(Index rows, Index cols, std::uint64_t seed);

/// `count` distinct indices of 0..n-1 in increasing order (all of them if count >= n); the same for the same seed.
[[nodiscard]] std::vector<Index> random_subset(Index n, Index count, std::uint64_t seed);

}  // namespace dualkpca
