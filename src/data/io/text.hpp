#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dualkpca {

/// Returns text from a file or a user in a form that fits a one-line message: at most `limit` bytes and "...", with a
/// '?' for every control character and every byte that is not UTF-8 (Python and JSON refuse such messages).
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 40);

/// Returns the name of a file as messages show it.
[[nodiscard]] std::string printable_path(std::string_view path);

/// Returns the same for a file that is read, where "-" is standard input.
[[nodiscard]] std::string shown_path(std::string_view path);

/// Returns printable() between quotes.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Returns the first few names, quoted and separated by commas, and the number of further ones.
[[nodiscard]] std::string list_names(const std::vector<std::string>& names);

/// Returns the name that is nearest to `wanted` by typing mistakes, ignoring case; empty if none is near.
[[nodiscard]] std::string_view nearest_name(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace dualkpca
