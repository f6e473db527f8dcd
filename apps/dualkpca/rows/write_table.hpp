#pragma once

#include <string>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca::app {

/// Returns the column names of a table of scores: pc1, pc2, ...
[[nodiscard]] std::vector<std::string> component_names(Index components);

/// Writes a whole table in the format of the extension of `path`. `ids`, unless it is empty, has one id per row and
/// becomes the first column. Throws as make_table_writer() does.
void write_table(const std::string& path, const std::vector<std::string>& columns, const Matrix& rows,
                 const std::vector<std::string>& ids = {});

}  // namespace dualkpca::app
