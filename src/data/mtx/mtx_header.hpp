#pragma once

#include <string>

#include "data/io/line_blocks.hpp"

namespace dualkpca {

enum class MtxSymmetry { general, symmetric, skew };

/// Declarations in the first lines of a Matrix Market file.
struct MtxHeader {
  bool is_sparse = false;  ///< true for coordinate, false for array
  bool has_values = true;  ///< false for pattern
  MtxSymmetry symmetry = MtxSymmetry::general;
  Index rows = 0;
  Index cols = 0;
  Index entries = 0;  ///< number of lines with entries (coordinate)
  Index size_line = 0;
};

/// Reads the banner, the comments and the size. Throws DataError for a header that is malformed or not accepted, and
/// ResourceError if the rows alone exceed `memory` bytes, or the available memory.
[[nodiscard]] MtxHeader read_mtx_header(Lines& lines, std::size_t memory);

/// Takes the next word off the front of the line; empty at its end.
[[nodiscard]] std::string_view take_word(std::string_view& line);

/// Reads a whole number, and returns whether all of the word is one. A number that is too large for an Index becomes
/// the largest Index.
[[nodiscard]] bool parse_whole(std::string_view word, Index& value);

/// Takes a number. Throws DataError if the next word is not a finite number.
[[nodiscard]] double take_value(const Lines& lines, std::string_view& line);

/// Throws a DataError that names the line that was read last.
[[noreturn]] void refuse_line(const Lines& lines, const std::string& what);

}  // namespace dualkpca
