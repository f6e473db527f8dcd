#include "model/file/declared_model.hpp"

#include <fmt/format.h>

#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {

void fail_damaged(const std::string& path, std::string_view problem) {
  // The problem may quote text of the file, which could steer a terminal.
  throw DataError(fmt::format("{}: is damaged: {}", printable_path(path), printable(problem, 500)));
}

Holds DeclaredModel::holds() const {
  if (report.landmarks) return Holds::landmarks;
  return arrays.contains("kept_rows") ? Holds::support : Holds::all;
}

}  // namespace dualkpca
