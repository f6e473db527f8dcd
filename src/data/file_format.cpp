#include "data/file_format.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace dualkpca {

std::optional<FileFormat> format_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".csv") return FileFormat::csv;
  if (extension == ".tsv") return FileFormat::tsv;
  if (extension == ".npy") return FileFormat::npy;
  return {};
}

}  // namespace dualkpca
