#pragma once

#include <string>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

enum class CsvRole : char { number, label, id };

/// Columns of a delimited file, and the names that messages use.
struct CsvLayout {
  std::string path{};  ///< path as messages show it
  char delimiter = ',';
  std::vector<CsvRole> roles{};      ///< one per column
  std::vector<std::string> names{};  ///< one per column, empty without a header

  [[nodiscard]] Index columns() const { return static_cast<Index>(roles.size()); }
  [[nodiscard]] Index count(CsvRole role) const;
  [[nodiscard]] std::vector<std::string> feature_names() const;
};

}  // namespace dualkpca
