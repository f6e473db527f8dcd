#pragma once

#include <cstdint>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Returns a rows x cols matrix of independent N(0,1) entries. The same seed gives the same entries.
[[nodiscard]] Matrix random_normal(Index rows, Index cols, std::uint64_t seed);

/// Returns `count` distinct random indices of 0..n-1 in increasing order, or all n if count >= n. The same seed gives
/// the same indices.
[[nodiscard]] std::vector<Index> random_subset(Index n, Index count, std::uint64_t seed);

}  // namespace dualkpca
