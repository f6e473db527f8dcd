#include "data/file_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "core/names.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<FileFormat, 7> format_names = {{{FileFormat::csv, "csv"},
                                                    {FileFormat::tsv, "tsv"},
                                                    {FileFormat::npy, "npy"},
                                                    {FileFormat::npz, "npz"},
                                                    {FileFormat::libsvm, "libsvm"},
                                                    {FileFormat::mtx, "mtx"},
                                                    {FileFormat::h5, "h5"}}};

constexpr std::array<std::pair<std::string_view, FileFormat>, 11> extensions = {{{".csv", FileFormat::csv},
                                                                                 {".tsv", FileFormat::tsv},
                                                                                 {".npy", FileFormat::npy},
                                                                                 {".npz", FileFormat::npz},
                                                                                 {".libsvm", FileFormat::libsvm},
                                                                                 {".svm", FileFormat::libsvm},
                                                                                 {".svmlight", FileFormat::libsvm},
                                                                                 {".mtx", FileFormat::mtx},
                                                                                 {".h5", FileFormat::h5},
                                                                                 {".hdf5", FileFormat::h5},
                                                                                 {".h5ad", FileFormat::h5}}};

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

std::string_view to_string(FileFormat format) { return name_of(format_names, format); }
FileFormat parse_file_format(std::string_view name) { return parse_name(format_names, "format", name); }

std::optional<FileFormat> format_of(const std::string& path) {
  const std::string found = extension_of(path);
  for (const auto& [extension, format] : extensions)
    if (extension == found) return format;
  return {};
}

bool is_text(FileFormat format) {
  return format == FileFormat::csv || format == FileFormat::tsv || format == FileFormat::libsvm ||
         format == FileFormat::mtx;
}

std::string strip_compression(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".gz" || extension == ".bz2" ? path.substr(0, path.size() - extension.size()) : path;
}

}  // namespace dualkpca
