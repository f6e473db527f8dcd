#pragma once

#include <string>

#include "data/io/line_blocks.hpp"

namespace dualkpca {

enum class MtxSymmetry { general, symmetric, skew };

/// What the first lines of a Matrix Market file declare.
struct MtxHeader {
  bool is_sparse = false;  ///< coordinate, not array
  bool has_values = true;  ///< not pattern
  MtxSymmetry symmetry = MtxSymmetry::general;
  Index rows = 0;
  Index cols = 0;
  Index entries = 0;  ///< lines of entries (coordinate)
  Index size_line = 0;
};

/// Reads the banner, the comments and the size. Throws DataError for what is malformed or not accepted, ResourceError
/// if the rows alone exceed `memory` bytes, or what is available.
[[nodiscard]] MtxHeader read_mtx_header(Lines& lines, std::size_t memory);

/// Takes the next word off the front of the line, empty at its end.
[[nodiscard]] std::string_view take_word(std::string_view& line);

/// Whether all of the word is a whole number; one that is too large for an Index is given as the largest.
[[nodiscard]] bool parse_whole(std::string_view word, Index& value);

/// Takes a number; throws DataError if the next word is not a finite one.
[[nodiscard]] double take_value(const Lines& lines, std::string_view& line);

/// Throws DataError naming the line that was read last.
[[noreturn]] void refuse_line(const Lines& lines, const std::string& what);

}  // namespace dualkpca
