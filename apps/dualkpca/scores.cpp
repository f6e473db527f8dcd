#include "scores.hpp"

#include <fmt/format.h>

#include <vector>

namespace dualkpca::app {

std::unique_ptr<TableWriter> make_score_writer(const std::string& path, Index rows, Index components, bool with_ids) {
  std::vector<std::string> columns;
  for (Index j = 1; j <= components; ++j) columns.push_back(fmt::format("pc{}", j));
  return make_table_writer(path, columns, rows, with_ids);
}

}  // namespace dualkpca::app
