#pragma once

#include <optional>
#include <string>

#include "dualkpca/data/file_format.hpp"

namespace dualkpca {

inline constexpr const char* accepted_extensions = ".csv, .tsv, .npy";

/// By the extension, in upper or lower case.
[[nodiscard]] std::optional<FileFormat> format_of(const std::string& path);

}  // namespace dualkpca
