#pragma once

#include <string>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Throws ResourceError if `what`, a plural, needs more bytes than are available. `path` is as messages show it. A
/// double, because a hostile file can declare a size that overflows an integer.
void require_memory(const std::string& path, const std::string& what, double bytes);

/// Likewise for rows x cols numbers of so many bytes each.
void require_memory(const std::string& path, Index rows, Index cols, std::size_t bytes_per_number);

}  // namespace dualkpca
