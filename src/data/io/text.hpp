#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dualkpca {

/// Text from a file or a user as it may stand in a one-line message: at most `limit` bytes and "...", with a '?' for
/// every control character and every byte that is not UTF-8 (Python and JSON refuse such messages).
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 40);

/// A file's name as messages show it.
[[nodiscard]] std::string printable_path(std::string_view path);

/// The same for a file that is read: "-" is standard input.
[[nodiscard]] std::string shown_path(std::string_view path);

/// printable() between quotes.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The first few names, quoted, with a comma between them, and how many more there are.
[[nodiscard]] std::string list_names(const std::vector<std::string>& names);

/// The name nearest to `wanted` by typing mistakes, ignoring case; empty if none is near.
[[nodiscard]] std::string_view nearest_name(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace dualkpca
