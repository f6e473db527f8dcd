#include "options/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace dualkpca::app {
namespace {

// Counts the typing mistakes between two words: letters missing, added or changed, and neighbours swapped.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> mistakes(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& here = mistakes[i][j];
      here = std::max(i, j);
      if (i == 0 || j == 0) continue;
      const std::size_t changed = mistakes[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      here = std::min({mistakes[i - 1][j] + 1, mistakes[i][j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        here = std::min(here, mistakes[i - 2][j - 2] + 1);
    }
  }
  return mistakes.back().back();
}

}  // namespace

std::string did_you_mean(std::string typed, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 40;  // longer texts are near no name, and the cost is quadratic
  if (typed.size() > longest) return "";
  for (char& c : typed)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const std::string* nearest = nullptr;
  std::size_t fewest = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : names) {
    const bool is_beginning = typed.size() > 3 && name.starts_with(typed);
    const std::size_t mistakes = is_beginning ? 1 : edit_distance(typed, name);
    if (mistakes >= fewest) continue;
    fewest = mistakes;
    nearest = &name;
  }
  return nearest == nullptr ? "" : fmt::format("; did you mean {}?", *nearest);
}

}  // namespace dualkpca::app
