#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace dualkpca::app {

/// A message of the library speaks of the field `label_col`; the user typed `--label-col`.
[[nodiscard]] std::string speak_of_option(std::string_view message);

/// What was wrong with a command line that CLI11 refused, in one line.
[[nodiscard]] std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace dualkpca::app
