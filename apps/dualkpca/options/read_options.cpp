#include "options/read_options.hpp"

#include <fmt/format.h>

#include <limits>

#include "dualkpca/core/errors.hpp"
#include "options/option_values.hpp"

namespace dualkpca::app {

void add_read_options(CLI::App& app, ReadOptions& read) {
  add_choice(app, "--format", {"csv", "tsv", "npy", "npz", "libsvm", "mtx", "h5"}, "by the extension; csv for a pipe",
             "of the data", [&read](const std::string& text) { read.format = parse_file_format(text); });
  add_value(app, "--label-col", "COLUMN", "name or number of a column of labels, which is no feature (default: none)",
            [&read](const std::string& text) { read.label_col = text; });
  add_value(app, "--id-col", "COLUMN", "name or number of a column of row names, which are copied (default: none)",
            [&read](const std::string& text) { read.id_col = text; });
}

void add_n_features(CLI::App& app, ReadOptions& read) {
  add_value(app, "--n-features", "N", "columns of a LIBSVM file (default: its largest index)",
            [&read](const std::string& text) {
              read.n_features = parse_integer(text, 1, std::numeric_limits<std::int32_t>::max());
            });
}

void require_n_features(const ReadOptions& read, const std::string& path, Index cols) {
  if (read.n_features > 0 && read.n_features != cols)
    throw InvalidArgument(fmt::format(
        "--n-features: {} has {} columns, not {}; the option is for LIBSVM files, which do not tell how many they have",
        path, cols, read.n_features));
}

}  // namespace dualkpca::app
