#include <fmt/format.h>

#include "data/file_format.hpp"
#include "data/table_writers.hpp"
#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {

void require_columns(Index found, Index expected) {
  if (found != expected)
    throw InvalidArgument(fmt::format("a block of {} columns cannot be written to a table of {}", found, expected));
}

std::unique_ptr<TableWriter> make_table_writer(const std::string& path, const std::vector<std::string>& columns,
                                               Index rows, bool with_ids, Precision precision) {
  if (columns.empty())
    throw InvalidArgument(fmt::format("{}: a table needs at least one column", printable(path, 300)));
  const bool is_stream = path == "-" || path.starts_with("/dev/");
  const auto format = is_stream ? FileFormat::csv : format_of(path);
  if (format != FileFormat::csv && format != FileFormat::tsv && format != FileFormat::npy)
    throw InvalidArgument(fmt::format("{}: the extension does not tell the format; accepted: {}", printable(path, 300),
                                      writable_extensions));
  if (format == FileFormat::npy) return make_npy_writer(path, rows, static_cast<Index>(columns.size()), precision);
  return make_csv_writer(path, format == FileFormat::csv ? ',' : '\t', columns, with_ids, precision);
}

}  // namespace dualkpca
