#pragma once

#include <optional>
#include <string>

#include "dualkpca/data/file_format.hpp"

namespace dualkpca {

inline constexpr const char* accepted_extensions =
    ".csv, .tsv, .npy, .npz, .libsvm, .svm, .svmlight, .mtx, .h5, .hdf5, .h5ad; text also with .gz or .bz2 behind it";

/// Returns the format of the last extension, in upper or lower case.
[[nodiscard]] std::optional<FileFormat> format_of(const std::string& path);

/// Returns whether the format consists of lines of text, which may be compressed.
[[nodiscard]] bool is_text(FileFormat format);

/// Returns the path without .gz or .bz2 at the end, in upper or lower case.
[[nodiscard]] std::string strip_compression(const std::string& path);

}  // namespace dualkpca
