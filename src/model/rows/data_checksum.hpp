#pragma once

#include <cstdint>

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Checksum by which a model that does not hold its training data recognises them. It covers every value of X; dense
/// and sparse rows with the same values have the same checksum.
[[nodiscard]] std::uint64_t checksum(const SamplesView& X);
/// The same for a kernel matrix, from its diagonal and some of its rows: all of them would take as long as a product.
[[nodiscard]] std::uint64_t matrix_checksum(const SamplesView& K);

}  // namespace dualkpca
