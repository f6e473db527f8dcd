#include "data/file_format.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/names.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<FileFormat, 7> names = {{{FileFormat::csv, "csv"},
                                             {FileFormat::tsv, "tsv"},
                                             {FileFormat::npy, "npy"},
                                             {FileFormat::npz, "npz"},
                                             {FileFormat::libsvm, "libsvm"},
                                             {FileFormat::mtx, "mtx"},
                                             {FileFormat::h5, "h5"}}};

}  // namespace

std::string_view to_string(FileFormat format) { return name_of(names, format); }
FileFormat parse_file_format(std::string_view name) { return parse_name(names, "format", name); }

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
