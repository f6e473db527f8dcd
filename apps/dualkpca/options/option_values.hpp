#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca::app {

using Setter = std::function<void(const std::string&)>;

/// Adds an option with one value. `set` takes its text. An InvalidArgument that it throws gets the name of the option
/// in front.
CLI::Option* add_value(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
                       Setter set);

/// Adds an option whose value is one of `names`, by default `standard`. The help shows both. The message about a
/// misspelt name suggests the nearest one.
CLI::Option* add_choice(CLI::App& app, const std::string& name, const std::vector<std::string>& names,
                        std::string_view standard, const std::string& help, Setter set);

/// These parse the text of a value. They throw InvalidArgument.
[[nodiscard]] double parse_number(std::string_view text);
[[nodiscard]] Index parse_integer(std::string_view text, Index lowest,
                                  Index highest = std::numeric_limits<Index>::max());
[[nodiscard]] std::uint64_t parse_seed(std::string_view text);
/// Returns no precision for auto.
[[nodiscard]] std::optional<Precision> parse_precision(std::string_view name);

}  // namespace dualkpca::app
