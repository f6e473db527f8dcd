#pragma once

#include <string>

#include "dualkpca/data/read.hpp"

namespace dualkpca::fuzz {

/// Reads a file at once and in blocks of `block` rows. Reports a find if both succeed and give different rows.
void read_both_ways(const std::string& path, const ReadOptions& options, Index block);

}  // namespace dualkpca::fuzz
