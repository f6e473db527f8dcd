#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Rows of a LIBSVM file.
struct LibsvmRows {
  CsrMatrix entries{};  ///< cols is the largest index
  std::vector<std::string> labels{};
};

/// Number of features that every line must agree with, and the name for messages.
struct LibsvmLayout {
  std::string path{};    ///< path as messages show it
  Index n_features = 0;  ///< largest index that is accepted; 0: not known
};

/// Returns whether a word is a label: one number or, for a sample with several labels, numbers separated by commas.
[[nodiscard]] bool is_libsvm_label(std::string_view word);

/// Reads whole lines, of which the first is line `line` of the file. Throws DataError for the first bad line.
[[nodiscard]] LibsvmRows read_libsvm_rows(const LibsvmLayout& layout, std::string_view text, Index line);

}  // namespace dualkpca
