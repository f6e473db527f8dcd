#include <fmt/format.h>

#include "data/file_format.hpp"
#include "data/input_file.hpp"
#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  require_file(path);  // "no such file" says more about a mistyped path than its extension does
  const auto format = format_of(path);
  if (!format)
    throw DataError(fmt::format("{}: the extension does not tell the format; accepted: {}", printable(path, 300),
                                accepted_extensions));
  switch (*format) {
    case FileFormat::csv: return read_csv(path, ',', options);
    case FileFormat::tsv: return read_csv(path, '\t', options);
    default: break;
  }
  if (options.label_col || options.id_col)
    throw InvalidArgument(fmt::format("{}: {} is for .csv and .tsv: an NPY file has no named columns",
                                      printable(path, 300), options.label_col ? "label_col" : "id_col"));
  return read_npy(path);
}

}  // namespace dualkpca
