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

/// An option with one value. `set` takes its text; the InvalidArgument it may throw is reported under the option's
/// name.
CLI::Option* add_value(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
                       Setter set);

/// Likewise with one of `names`, by default `standard`: both stand in the help, and a misspelt name is answered with
/// the nearest.
CLI::Option* add_choice(CLI::App& app, const std::string& name, const std::vector<std::string>& names,
                        std::string_view standard, const std::string& help, Setter set);

/// All throw InvalidArgument.
[[nodiscard]] double parse_number(std::string_view text);
[[nodiscard]] Index parse_integer(std::string_view text, Index lowest,
                                  Index highest = std::numeric_limits<Index>::max());
[[nodiscard]] std::uint64_t parse_seed(std::string_view text);
/// Nothing for auto.
[[nodiscard]] std::optional<Precision> parse_precision(std::string_view name);

}  // namespace dualkpca::app
