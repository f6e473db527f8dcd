#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Constants and numbers of zip files for readers and writers, from PKWARE's APPNOTE.TXT 6.3.
namespace dualkpca {

constexpr std::string_view local_signature = "PK\3\4", descriptor_signature = "PK\7\10", directory_signature = "PK\1\2",
                           end64_signature = "PK\6\6", locator_signature = "PK\6\7", end_signature = "PK\5\6";

/// Value of a 32-bit size or offset which says that the number is in the extra field.
constexpr std::uint32_t see_extra = 0xffffffff;

/// Returns the number in `count` bytes from `at` on, the least significant one first.
inline std::uint64_t zip_number(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

}  // namespace dualkpca
