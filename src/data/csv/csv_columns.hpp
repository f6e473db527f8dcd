#pragma once

#include <string>
#include <string_view>

#include "data/csv/csv_layout.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

/// Finds the header, if there is one, and the columns of labels and ids. `text` is the text of the file from its first
/// line on. Throws DataError for a malformed line, and InvalidArgument for a column that does not exist.
[[nodiscard]] CsvLayout find_layout(const std::string& path, char delimiter, std::string_view text,
                                    const ReadOptions& options);

}  // namespace dualkpca
