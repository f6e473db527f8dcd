#pragma once

#include <string>
#include <string_view>

#include "data/csv/csv_layout.hpp"
#include "data/csv/csv_scanner.hpp"

namespace dualkpca {

/// Explains why the first line of `text`, which is data row `row` from 0 and begins on line `line` of the file, cannot
/// be used: throws DataError naming both, the column and what was found.
[[noreturn]] void throw_bad_row(const CsvLayout& layout, std::string_view text, Index row, Index line);

/// Throws DataError if the field's quotes are wrong; `where` says where it is.
void require_well_formed(const CsvLayout& layout, const CsvField& field, const std::string& where);

/// What to add to a message if `text` makes it likely that the file has other delimiters or line ends; or nothing.
[[nodiscard]] std::string separator_hint(std::string_view text, char delimiter);

}  // namespace dualkpca
