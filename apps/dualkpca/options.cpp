#include "options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/kernel_pca_fields.hpp"
#include "dualkpca/model/preimage_fields.hpp"
#include "field_options.hpp"
#include "suggest.hpp"

namespace dualkpca::app {
namespace {

template <class T>
bool read_all(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Whether a message that begins with this word speaks of an option. One that begins with "solver", "scale" or
// "landmarks" speaks of the thing itself.
bool is_option(std::string_view word) {
  if (word == fields::solver.name || word == fields::scale.name || word == fields::landmarks.name) return false;
  bool found = false;
  const auto look = [&](const Field& field, const auto& /*value*/) {
    found = found || (field.group != FieldGroup::hidden && field.option_name() == word);
  };
  const KernelPCAParams params;
  for_each_field(params, look);
  const PreimageParams preimage;
  for_each_field(preimage, look);
  return found;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
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
  constexpr std::size_t widest = 90;  // what is left of 120 columns beside the name
  std::string text = fmt::format("{}: {} (default {})", help, fmt::join(names, ", "), standard);
  if (text.size() > widest) text = fmt::format("{} (default {}):\n{}", help, standard, fmt::join(names, ", "));
  return add_value(app, name, "NAME", text, checked);
}

void add_threads(CLI::App& app, int& threads) { add_field(app, fields::threads, threads); }

void add_read_options(CLI::App& app, ReadOptions& read) {
  add_choice(app, "--format", {"csv", "tsv", "npy", "npz", "libsvm", "mtx", "h5"}, "by the extension; csv for a pipe",
             "of the data", [&read](const std::string& text) { read.format = parse_file_format(text); });
  add_value(app, "--label-col", "COLUMN", "name or number of a column of labels, which is no feature (default: none)",
            [&read](const std::string& text) { read.label_col = text; });
  add_value(app, "--id-col", "COLUMN", "name or number of a column of row names, which are copied (default: none)",
            [&read](const std::string& text) { read.id_col = text; });
}

void add_n_features(CLI::App& app, ReadOptions& read) {
  add_value(app, "--n-features", "N", "columns of a LIBSVM file (default: its largest index)",
            [&read](const std::string& text) {
              read.n_features = parse_integer(text, 1, std::numeric_limits<std::int32_t>::max());
            });
}

void require_n_features(const ReadOptions& read, const std::string& path, Index cols) {
  if (read.n_features > 0 && read.n_features != cols)
    throw InvalidArgument(fmt::format(
        "--n-features: {} has {} columns, not {}; the option is for LIBSVM files, which do not tell how many they have",
        path, cols, read.n_features));
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

std::string speak_of_option(std::string_view message) {
  std::string text(message);
  const std::string_view first_word = message.substr(0, message.find(' '));
  if (is_option(first_word)) {
    std::replace(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first_word.size()), '_', '-');
    text.insert(0, "--");
  }
  for (const auto& [field, option] : {std::pair(" label_col ", " --label-col "), std::pair(" id_col ", " --id-col ")})
    if (const std::size_t at = text.find(field); at != std::string::npos) text.replace(at, std::strlen(field), option);
  return text;
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> unknown = app.remaining(true);
  std::erase(unknown, "--");
  // An unknown option comes first: its value was taken for an argument and would be blamed otherwise.
  for (const std::string& word : unknown) {
    if (word.size() < 2 || word.front() != '-') continue;
    const std::string option = word.substr(0, word.find('='));
    return fmt::format("unknown option {}{}", option, did_you_mean(option, option_names(command)));
  }
  const std::vector<std::string> commands = command_names(app);
  if (chosen.empty() && !unknown.empty())
    return fmt::format("unknown command {}{}", unknown.front(), did_you_mean(unknown.front(), commands));
  if (chosen.empty()) return fmt::format("a command is missing; accepted: {}", fmt::join(commands, ", "));
  if (!unknown.empty()) return fmt::format("unexpected argument {}", unknown.front());
  const std::string text = error.what();
  if (error.get_name() == "ArgumentMismatch") return fmt::format("{} needs a value", text.substr(0, text.find(':')));
  return fmt::format("{}; see dualkpca {} --help", text, command.get_name());
}

}  // namespace dualkpca::app
