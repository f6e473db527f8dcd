#include "options/read_options.hpp"

#include <fmt/format.h>

#include <limits>

#include "dualkpca/core/errors.hpp"
#include "options/option_values.hpp"

namespace dualkpca::app {

void add_read_options(CLI::App& app, ReadOptions& read) {
  add_choice(app, "--format", {"csv", "tsv", "npy", "npz", "libsvm", "mtx", "h5"}, "by extension, csv for a pipe",
             "format of the data", [&read](const std::string& text) { read.format = parse_file_format(text); });
  add_value(app, "--label-col", "COLUMN", "column of labels, by name or number; it is not a feature (default: none)",
            [&read](const std::string& text) { read.label_col = text; });
  add_value(app, "--id-col", "COLUMN", "column of row names, by name or number; they are copied (default: none)",
            [&read](const std::string& text) { read.id_col = text; });
}

void add_n_features(CLI::App& app, ReadOptions& read) {
  add_value(app, "--n-features", "N", "number of columns of a LIBSVM file (default: its largest index)",
            [&read](const std::string& text) {
              read.n_features = parse_integer(text, 1, std::numeric_limits<std::int32_t>::max());
            });
}

void require_n_features(const ReadOptions& read, const std::string& path, Index cols) {
  if (read.n_features > 0 && read.n_features != cols)
    throw InvalidArgument(
        fmt::format("--n-features: {} has {} columns, not {}; the option is only for LIBSVM files, which do not "
                    "contain their number of columns",
                    path, cols, read.n_features));
}

}  // namespace dualkpca::app
