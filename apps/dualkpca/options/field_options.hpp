#pragma once

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "dualkpca/model/field.hpp"
#include "options/option_values.hpp"

namespace dualkpca::app {

/// Returns the name of the option, "--max-iter", of the field max_iter, or the other way round.
[[nodiscard]] std::string option_of(const Field& field);
[[nodiscard]] std::string field_of(std::string_view option);

/// Returns the note on the default for the help, for example "(default auto)" or "(default: what is available)".
[[nodiscard]] std::string default_note(std::string_view standard);

[[nodiscard]] std::vector<std::string> split_choices(std::string_view choices);

/// These read the value of an option from its text. They throw InvalidArgument.
void read_text(const Field& field, const std::string& text, double& value);
void read_text(const Field& field, const std::string& text, std::optional<double>& value);
void read_text(const Field& field, const std::string& text, int& value);
void read_text(const Field& field, const std::string& text, Index& value);
void read_text(const Field& field, const std::string& text, std::optional<Index>& value);
void read_text(const Field& field, const std::string& text, std::uint64_t& value);
void read_text(const Field& field, const std::string& text, Components& value);
void read_text(const Field& field, const std::string& text, Gamma& value);
void read_text(const Field& field, const std::string& text, std::optional<Precision>& value);

template <class Enum>
requires std::is_enum_v<Enum>
void read_text(const Field& /*field*/, const std::string& text, Enum& value) { set_by_name(value, text); }

/// Returns the present value as the help shows it, or "" if its type has no text.
template <class T>
[[nodiscard]] std::string shown_default(const T& value) {
  if constexpr (std::is_enum_v<T>) return std::string(to_string(value));
  if constexpr (std::is_arithmetic_v<T>) return fmt::format("{}", value);
  if constexpr (std::is_same_v<T, Components>) return std::to_string(value.count);
  return "";
}

/// Adds the option of a field. `value` is both the default and the target. The option calls `on_set` when it is given.
template <class T>
void add_field(CLI::App& app, const Field& field, T& value, const std::function<void()>& on_set = {}) {
  const auto set = [field, &value, on_set](const std::string& text) {
    read_text(field, text, value);
    if (on_set) on_set();
  };
  const std::string standard = field.standard.empty() ? shown_default(value) : std::string(field.standard);
  const std::string name = option_of(field), help(field.help);
  if (field.choices.empty())
    add_value(app, name, std::string(field.value), help + default_note(standard), set);
  else
    add_choice(app, name, split_choices(field.choices), standard, help, set);
}

/// Adds a flag that switches off something that is on by default.
inline void add_field(CLI::App& app, const Field& field, bool& value) {
  app.add_flag_callback(
      option_of(field), [&value] { value = false; }, std::string(field.help) + default_note(field.standard));
}

/// Adds --threads; 0 is all processors.
void add_threads(CLI::App& app, int& threads);

}  // namespace dualkpca::app
