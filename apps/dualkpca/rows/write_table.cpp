#include "rows/write_table.hpp"

#include <fmt/format.h>

#include "dualkpca/data/write.hpp"

namespace dualkpca::app {

std::vector<std::string> component_names(Index components) {
  std::vector<std::string> names;
  for (Index j = 1; j <= components; ++j) names.push_back(fmt::format("pc{}", j));
  return names;
}

void write_table(const std::string& path, const std::vector<std::string>& columns, const Matrix& rows,
                 const std::vector<std::string>& ids) {
  const auto writer = make_table_writer(path, columns, rows.rows(), !ids.empty());
  writer->write(rows, ids);
  writer->commit();
}

}  // namespace dualkpca::app
