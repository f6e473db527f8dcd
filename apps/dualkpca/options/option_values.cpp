#include "options/option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "options/option_messages.hpp"
#include "options/suggest.hpp"

namespace dualkpca::app {
namespace {

template <class T>
bool read_all(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

CLI::Option* add_value(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
                       Setter set) {
  const auto checked = [name, set = std::move(set)](const std::string& text) {
    try {
      set(text);
    } catch (const InvalidArgument& error) {
      const std::string message = speak_of_option(error.what());
      throw InvalidArgument(message.starts_with(name) ? message : fmt::format("{}: {}", name, message));
    }
  };
  return app.add_option_function<std::string>(name, checked, help)->type_name(type);
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, const std::vector<std::string>& names,
                        std::string_view standard, const std::string& help, Setter set) {
  const auto checked = [names, set = std::move(set)](const std::string& text) {
    try {
      set(text);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(error.what() + did_you_mean(text, names));
    }
  };
  constexpr std::size_t widest = 88;                                   // 120 columns less those of the name
  const char* colon = standard.find(' ') == standard.npos ? "" : ":";  // before a phrase, not before a name
  std::string text = fmt::format("{}: {} (default{} {})", help, fmt::join(names, ", "), colon, standard);
  if (text.size() > widest) text = fmt::format("{} (default{} {}):\n{}", help, colon, standard, fmt::join(names, ", "));
  return add_value(app, name, "NAME", text, checked);
}

double parse_number(std::string_view text) {
  double value = 0;
  if (!read_all(text, value) || !std::isfinite(value)) throw InvalidArgument(fmt::format("'{}' is not a number", text));
  return value;
}

Index parse_integer(std::string_view text, Index lowest, Index highest) {
  Index value = 0;
  if (read_all(text, value) && value >= lowest && value <= highest) return value;
  const bool open = highest == std::numeric_limits<Index>::max();
  throw InvalidArgument(
      fmt::format("'{}' is not a whole number from {} {}", text, lowest, open ? "up" : fmt::format("to {}", highest)));
}

std::optional<Precision> parse_precision(std::string_view name) {
  if (name == "auto") return {};
  for (const Precision precision : {Precision::float32, Precision::float64})
    if (name == to_string(precision)) return precision;
  throw InvalidArgument(fmt::format("unknown precision '{}'; accepted: auto, float32, float64", name));
}

std::uint64_t parse_seed(std::string_view text) {
  std::uint64_t value = 0;
  if (!read_all(text, value))
    throw InvalidArgument(fmt::format("'{}' is not a whole number from 0 up to 2^64 - 1", text));
  return value;
}

}  // namespace dualkpca::app
