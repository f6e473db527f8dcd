#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/csv/csv_scanner.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

enum class CsvRole : char { number, label, id };

/// What every line of a delimited file holds, and what messages need to say about it.
struct CsvLayout {
  std::string path{};  ///< as messages show it
  char delimiter = ',';
  std::vector<CsvRole> roles{};      ///< one per column
  std::vector<std::string> names{};  ///< one per column, empty without a header

  [[nodiscard]] Index columns() const { return static_cast<Index>(roles.size()); }
  [[nodiscard]] Index count(CsvRole role) const;
  [[nodiscard]] std::vector<std::string> feature_names() const;
};

/// Finds the header, if there is one, and the columns of labels and ids. `text` is the file's, from its first line on.
/// Throws DataError for a malformed line, InvalidArgument for a column that is not there.
[[nodiscard]] CsvLayout find_layout(const std::string& path, char delimiter, std::string_view text,
                                    const ReadOptions& options);

}  // namespace dualkpca
