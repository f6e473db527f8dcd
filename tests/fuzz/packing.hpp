#pragma once

#include <string>
#include <string_view>

/// Compression and archives with valid checksums, so that changed bytes reach what reads the contents.
namespace dualkpca::fuzz {

[[nodiscard]] std::string gzip(std::string_view bytes);
[[nodiscard]] std::string bzip2(std::string_view bytes);

/// A zip archive of the members that `bytes` list: each is a byte that chooses its name, two bytes of its length
/// (little endian; cut at the end of the input), and its contents. The highest bit of the name's byte deflates the
/// member.
[[nodiscard]] std::string zip(std::string_view bytes);

}  // namespace dualkpca::fuzz
