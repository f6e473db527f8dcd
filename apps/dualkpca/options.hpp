#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/data/read.hpp"

namespace dualkpca::app {

using Setter = std::function<void(const std::string&)>;

/// An option with one value. `set` takes its text; the InvalidArgument it may throw is reported under the option's
/// name.
CLI::Option* add_value(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
                       Setter set);

/// Likewise with one of `names`, by default `standard`: both stand in the help, and a misspelt name is answered with
/// the nearest.
CLI::Option* add_choice(CLI::App& app, const std::string& name, const std::vector<std::string>& names,
                        std::string_view standard, const std::string& help, Setter set);

/// --threads, 0 for all processors.
void add_threads(CLI::App& app, int& threads);

/// The formats that DATA may have, for its help.
inline constexpr const char* data_help =
    "samples as rows: .csv .tsv .libsvm .mtx (also .gz, .bz2) .npy .npz .h5, or - for a pipe";

/// How DATA is read: --format, --label-col and --id-col.
void add_read_options(CLI::App& app, ReadOptions& read);

/// --n-features, for commands that have no model to tell it.
void add_n_features(CLI::App& app, ReadOptions& read);
/// Throws InvalidArgument if it was given and the data, which are no LIBSVM file then, have another number of columns.
void require_n_features(const ReadOptions& read, const std::string& path, Index cols);

/// All throw InvalidArgument.
[[nodiscard]] double parse_number(std::string_view text);
[[nodiscard]] Index parse_integer(std::string_view text, Index lowest,
                                  Index highest = std::numeric_limits<Index>::max());
[[nodiscard]] std::uint64_t parse_seed(std::string_view text);
/// Nothing for auto.
[[nodiscard]] std::optional<Precision> parse_precision(std::string_view name);

/// A message of the library speaks of the field `label_col`; the user typed `--label-col`.
[[nodiscard]] std::string speak_of_option(std::string_view message);

/// What was wrong with a command line that CLI11 refused, in one line.
[[nodiscard]] std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace dualkpca::app
