#pragma once

#include <span>
#include <vector>

#include "data/preprocessing.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// Returns the indices of the rows that the shift and the unit are chosen by: a seeded sample of at most 1001 rows.
[[nodiscard]] std::vector<Index> typical_rows(Index n, std::uint64_t seed);

/// Returns the median of each column over the given rows, after scaling. A shift-invariant kernel does not change when
/// all rows move, but its float32 values are the more accurate the nearer the rows are to the origin, and a few rows
/// that are far from all others do not move the median.
[[nodiscard]] Vector median_row(const SamplesView& X, std::span<const Index> rows, const Scaler& scaler, int threads);

/// Returns the power of two that brings the typical length of the given rows near 1, after scaling and shift. The
/// typical length is the median of the lengths that are not 0. The unit is 1 if this length lies between 2^-20 and
/// 2^20, and if all lengths are 0.
[[nodiscard]] double unit_of_rows(const SamplesView& X, std::span<const Index> rows, const Preprocessing& input);

}  // namespace dualkpca
