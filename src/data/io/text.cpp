#include "data/io/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace dualkpca {
namespace {

// Returns the bytes of the printable UTF-8 character at the front of `text`; 0 if there is none.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned char second = byte(1);
  const bool c1_control = lead == 0xc2 && second < 0xa0;
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second >= 0xa0;
  const bool beyond_unicode = lead == 0xf4 && second >= 0x90;
  return c1_control || overlong || surrogate || beyond_unicode ? 0 : length;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Returns the Levenshtein distance, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    const std::string_view shown = length > 0 ? text.substr(0, length) : "?";
    if (out.size() + shown.size() > limit) return out + "...";
    out += shown;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string printable_path(std::string_view path) { return printable(path, 300); }

std::string shown_path(std::string_view path) { return path == "-" ? "standard input" : printable_path(path); }

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", printable(text)); }

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) out += (i > 0 ? ", " : "") + in_quotes(names[i]);
  if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
  return out;
}

std::string_view nearest_name(std::string_view wanted, const std::vector<std::string>& names) {
  const std::size_t tolerated = std::max<std::size_t>(1, wanted.size() / 3);
  std::size_t nearest = tolerated + 1;
  std::string_view found;
  for (const std::string& name : names) {
    // The difference in length is a lower bound of the distance. It keeps the cost low for absurdly long names.
    if (name.size() + tolerated < wanted.size() || wanted.size() + tolerated < name.size()) continue;
    const std::size_t distance = edit_distance(wanted, name);
    if (distance < nearest) {
      nearest = distance;
      found = name;
    }
  }
  return found;
}

}  // namespace dualkpca
