#pragma once

#include <string>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Throws ResourceError if `bytes` are more than `budget` (0: no budget) or more than are available. `what`, a plural,
/// needs them, and `path` is the file; both are for the message. `bytes` is a double, because a hostile file can
/// declare a size that overflows an integer.
void require_memory(const std::string& path, const std::string& what, double bytes, std::size_t budget = 0);

/// Checks the same for rows x cols numbers.
void require_memory(const std::string& path, Index rows, Index cols, std::size_t bytes_per_number,
                    std::size_t budget = 0);

}  // namespace dualkpca
