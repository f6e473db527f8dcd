#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace dualkpca::app {

/// Returns the message with the names of fields, such as `label_col`, replaced by those of options: `--label-col`.
[[nodiscard]] std::string speak_of_option(std::string_view message);

/// Returns one line that explains why CLI11 refused a command line.
[[nodiscard]] std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace dualkpca::app
