#pragma once

#include <optional>
#include <string>

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

struct ReadOptions {
  std::optional<std::string> label_col{};  ///< column kept as text: its name or, if digits alone, its number from 1
  std::optional<std::string> id_col{};     ///< likewise
  int threads = 0;                         ///< 0: all processors
};

/// Reads .csv, .tsv or .npy, by extension. Rows are samples. Throws DataError naming the file and, where there is
/// one, the row and column (counted from 1, the header not counted as a row) and the line; InvalidArgument for a label
/// or id column that is not there, and for any with .npy.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// A first line is a header when one of its fields is neither a number nor a missing value and is not in a label or id
/// column given by number, or when it holds the name of one. Quotes, CRLF, a UTF-8 byte order mark and blanks around
/// fields are understood. Missing values, infinity and numbers too large for float64 are refused.
[[nodiscard]] Dataset read_csv(const std::string& path, char delimiter, const ReadOptions& options = {});

/// Maps a 2-D array of float32 or float64, C or Fortran order; integers, bool and big-endian floats are converted to a
/// copy in float64. Labels and ids do not exist. Whether the numbers are finite is not checked: see require_finite().
[[nodiscard]] Dataset read_npy(const std::string& path);

}  // namespace dualkpca
