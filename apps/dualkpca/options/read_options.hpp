#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "dualkpca/data/read.hpp"

namespace dualkpca::app {

/// Help text of DATA, with the accepted formats.
inline constexpr const char* data_help =
    "file with one sample per row, or - for standard input;\n"
    "formats: .csv .tsv .libsvm .mtx (also .gz, .bz2) .npy .npz .h5";

/// Adds the options that say how DATA is read: --format, --label-col and --id-col.
void add_read_options(CLI::App& app, ReadOptions& read);

/// Adds --n-features, for commands without a model, which would contain the number of columns.
void add_n_features(CLI::App& app, ReadOptions& read);
/// Throws InvalidArgument if --n-features was given and the data have another number of columns. Such data are not a
/// LIBSVM file.
void require_n_features(const ReadOptions& read, const std::string& path, Index cols);

}  // namespace dualkpca::app
