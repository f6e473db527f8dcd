#include "options/option_messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "dualkpca/model/kernel_pca_fields.hpp"
#include "dualkpca/model/preimage_fields.hpp"
#include "options/suggest.hpp"

namespace dualkpca::app {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Returns true if a message that begins with this word is about an option. The words "solver", "scale" and "landmarks"
// also begin messages about a solver, a scaling or landmarks, so they do not count.
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
  // An unknown option is reported first: CLI11 took its value for an argument and would blame that.
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
