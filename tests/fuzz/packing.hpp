#pragma once

#include <string>
#include <string_view>

/// Compressed data and archives with valid checksums, so that changed bytes reach the reader of the contents.
namespace dualkpca::fuzz {

[[nodiscard]] std::string gzip(std::string_view bytes);
[[nodiscard]] std::string bzip2(std::string_view bytes);

/// Returns a zip archive of the members that `bytes` list. Each member is a byte that chooses its name, two bytes with
/// its length (little endian; cut at the end of the input), and its contents. The highest bit of the first byte
/// deflates it.
[[nodiscard]] std::string zip(std::string_view bytes);

}  // namespace dualkpca::fuzz
