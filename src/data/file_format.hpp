#pragma once

#include <optional>
#include <string>

namespace dualkpca {

enum class FileFormat { csv, tsv, npy };

inline constexpr const char* accepted_extensions = ".csv, .tsv, .npy";

/// By the extension, in upper or lower case.
[[nodiscard]] std::optional<FileFormat> format_of(const std::string& path);

}  // namespace dualkpca
