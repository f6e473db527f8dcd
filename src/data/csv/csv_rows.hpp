#pragma once

#include <string_view>

#include "data/csv/csv_layout.hpp"
#include "data/csv/csv_scanner.hpp"
#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Position of a piece of text in its file.
struct CsvPosition {
  Index row = 0;   ///< data rows before it
  Index line = 1;  ///< line on which it begins
};

/// Reads whole records, at least one, with one thread per chunk. The result has no names of features. Throws DataError
/// for the first bad row.
[[nodiscard]] Dataset read_rows(const CsvLayout& layout, std::string_view text, const CsvPosition& place, int threads);

}  // namespace dualkpca
