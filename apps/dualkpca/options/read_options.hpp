#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "dualkpca/data/read.hpp"

namespace dualkpca::app {

/// The formats that DATA may have, for its help.
inline constexpr const char* data_help =
    "samples as rows: .csv .tsv .libsvm .mtx (also .gz, .bz2) .npy .npz .h5, or - for a pipe";

/// How DATA is read: --format, --label-col and --id-col.
void add_read_options(CLI::App& app, ReadOptions& read);

/// --n-features, for commands that have no model to tell it.
void add_n_features(CLI::App& app, ReadOptions& read);
/// Throws InvalidArgument if it was given and the data, which are no LIBSVM file then, have another number of columns.
void require_n_features(const ReadOptions& read, const std::string& path, Index cols);

}  // namespace dualkpca::app
