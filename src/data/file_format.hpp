#pragma once

#include <optional>
#include <string>

#include "dualkpca/data/file_format.hpp"

namespace dualkpca {

inline constexpr const char* readable_extensions =
    ".csv, .tsv, .npy, .npz, .libsvm, .svm, .svmlight, .mtx, .h5, .hdf5, .h5ad; text also with .gz or .bz2 behind it";
inline constexpr const char* writable_extensions = ".csv, .tsv, .npy";

/// By the last extension, in upper or lower case.
[[nodiscard]] std::optional<FileFormat> format_of(const std::string& path);

/// Whether lines of text make it, which may be compressed.
[[nodiscard]] bool is_text(FileFormat format);

/// Without .gz or .bz2 at the end, in upper or lower case.
[[nodiscard]] std::string strip_compression(const std::string& path);

/// The file of "file.h5:/dataset" and "file.npz:name", which is what comes before the colon unless there is a file of
/// the whole name. `format` is what the user said of it.
[[nodiscard]] std::string strip_member(const std::string& path, std::optional<FileFormat> format);

}  // namespace dualkpca
