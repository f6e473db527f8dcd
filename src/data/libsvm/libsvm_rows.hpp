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

/// What every line is held against, and what messages need.
struct LibsvmLayout {
  std::string path{};    ///< as messages show it
  Index n_features = 0;  ///< 0: not known
};

/// One number or, where a sample has several labels, numbers with commas between them.
[[nodiscard]] bool is_libsvm_label(std::string_view word);

/// Reads whole lines, the first of which is line `line` of the file. Throws DataError for the first that is bad.
[[nodiscard]] LibsvmRows read_libsvm_rows(const LibsvmLayout& layout, std::string_view text, Index line);

}  // namespace dualkpca
