#include "options/field_options.hpp"

#include <algorithm>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/model/kernel_pca_fields.hpp"

namespace dualkpca::app {

std::string option_of(const Field& field) {
  std::string name(field.option_name());
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::string field_of(std::string_view option) {
  std::string name(option.substr(option.find_first_not_of('-')));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string default_note(std::string_view standard) {
  return fmt::format(" (default{}{})", standard.starts_with(':') ? "" : " ", standard);
}

std::vector<std::string> split_choices(std::string_view choices) {
  std::vector<std::string> names;
  while (!choices.empty()) {
    const std::size_t end = std::min(choices.find(", "), choices.size());
    names.emplace_back(choices.substr(0, end));
    choices.remove_prefix(std::min(end + 2, choices.size()));
  }
  return names;
}

void read_text(const Field& /*field*/, const std::string& text, double& value) { value = parse_number(text); }

void read_text(const Field& /*field*/, const std::string& text, std::optional<double>& value) {
  value = parse_number(text);
}

void read_text(const Field& field, const std::string& text, int& value) {
  value = static_cast<int>(parse_integer(text, field.lowest, field.highest));
}

void read_text(const Field& field, const std::string& text, Index& value) {
  value = parse_integer(text, field.lowest, field.highest);
}

void read_text(const Field& field, const std::string& text, std::optional<Index>& value) {
  value.reset();
  if (text == "auto") return;
  try {
    value = parse_integer(text, field.lowest, field.highest);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}, nor auto", error.what()));
  }
}

void read_text(const Field& field, const std::string& text, std::uint64_t& value) {
  value = field.is_size_in_bytes ? parse_bytes(text) : parse_seed(text);
}

void read_text(const Field& /*field*/, const std::string& text, Components& value) { value = parse_components(text); }
void read_text(const Field& /*field*/, const std::string& text, Gamma& value) { value = parse_gamma(text); }

void read_text(const Field& /*field*/, const std::string& text, std::optional<Precision>& value) {
  value = parse_precision(text);
}

void add_threads(CLI::App& app, int& threads) { add_field(app, fields::threads, threads); }

}  // namespace dualkpca::app
