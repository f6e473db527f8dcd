// Fuzz target of the command line. For any arguments the command must end with one of its exit codes and explain a
// failure in one line.
#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "process/exit_codes.hpp"
#include "run_command.hpp"
#include "scratch_folder.hpp"
#include "targets.hpp"

namespace dualkpca::fuzz {
namespace arguments_fuzz {

constexpr std::size_t most_arguments = 40;
constexpr char stands_for_newline = '\x01';  // in an argument, because newlines separate arguments

// Removes names of files outside of the folder. A slash stays only where it begins the name of an HDF5 dataset.
std::string keep_inside(std::string_view word) {
  std::string safe;
  for (const char c : word)
    if (c != '/' || (!safe.empty() && safe.back() == ':')) safe += c == stands_for_newline ? '\n' : c;
  return safe.substr(0, safe.find('\0'));
}

std::vector<std::string> split(std::string_view bytes) {
  std::vector<std::string> words;
  while (!bytes.empty() && words.size() < most_arguments) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    words.push_back(keep_inside(bytes.substr(0, end)));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return words;
}

// Whether the arguments ask for many threads. Such runs take very long under the address checker, and test nothing
// more.
bool asks_for_many_threads(const std::vector<std::string>& words) {
  constexpr std::string_view option = "--threads";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with(option)) continue;
    const std::string value = words[i].size() > option.size() ? words[i].substr(option.size() + 1)
                              : i + 1 < words.size()          ? words[i + 1]
                                                              : "";
    int threads = 0;
    std::from_chars(value.data(), value.data() + value.size(), threads);
    if (threads > 2) return true;
  }
  return false;
}

bool is_known(int code) {
  const int codes[] = {app::done,          app::alarm,        app::wrong_usage, app::bad_data,
                       app::not_converged, app::no_resources, app::interrupted};
  return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

// Whether the first line that begins with the name of the command is the last line. If standard output is for results,
// a plan may precede this line.
bool explains(const std::string& errors) {
  const std::string text = "\n" + errors;
  const std::size_t at = text.find("\ndualkpca: ");
  return at != std::string::npos && text.find('\n', at + 1) == text.size() - 1;
}

}  // namespace arguments_fuzz

void try_arguments(std::string_view bytes) {
  using namespace arguments_fuzz;
  static const ScratchFolder folder;
  const std::vector<std::string> words = split(bytes);
  if (asks_for_many_threads(words)) return;
  folder.restore();
  const CommandResult result = run_command(words, folder.path());
  if (!is_known(result.exit_code)) report_find("exit code " + std::to_string(result.exit_code) + ": " + result.errors);
  const bool failed =
      result.exit_code != app::done && result.exit_code != app::alarm && result.exit_code != app::not_converged;
  if (failed && !explains(result.errors))
    report_find("exit code " + std::to_string(result.exit_code) + " without an explanation: " + result.errors);
}

}  // namespace dualkpca::fuzz
