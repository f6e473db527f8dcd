#pragma once

#include <string>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Throws ResourceError if `what`, a plural, needs more bytes than `budget` or than are available; a budget of 0 is
/// none. `path` is as messages show it. `bytes` is a double, because a hostile file can declare a size that overflows
/// an integer.
void require_memory(const std::string& path, const std::string& what, double bytes, std::size_t budget = 0);

/// Likewise for rows x cols numbers of so many bytes each.
void require_memory(const std::string& path, Index rows, Index cols, std::size_t bytes_per_number,
                    std::size_t budget = 0);

}  // namespace dualkpca
