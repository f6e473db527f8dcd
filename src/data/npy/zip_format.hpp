#pragma once

#include <cstdint>
#include <string_view>

/// What readers and writers of zip files share, from PKWARE's APPNOTE.TXT 6.3.
namespace dualkpca {

constexpr std::string_view local_signature = "PK\3\4", descriptor_signature = "PK\7\10", directory_signature = "PK\1\2",
                           end64_signature = "PK\6\6", locator_signature = "PK\6\7", end_signature = "PK\5\6";

/// A 32-bit size or offset with this value stands in the extra field instead.
constexpr std::uint32_t see_extra = 0xffffffff;

}  // namespace dualkpca
