#pragma once

#include <string>
#include <string_view>

#include "data/csv/csv_layout.hpp"
#include "data/csv/csv_scanner.hpp"

namespace dualkpca {

/// Throws the DataError that explains why the first line of `text` cannot be used. The message names its row, its line,
/// the column and what was found. `row`: index of the data row, from 0; `line`: line of the file on which it begins.
[[noreturn]] void throw_bad_row(const CsvLayout& layout, std::string_view text, Index row, Index line);

/// Throws DataError if the quotes of a field are wrong. `where` is its place, for the message.
void require_well_formed(const CsvLayout& layout, const CsvField& field, const std::string& where);

/// Returns a hint for a message if `text` makes it likely that the file has other delimiters or line ends, else
/// nothing.
[[nodiscard]] std::string separator_hint(std::string_view text, char delimiter);

}  // namespace dualkpca
