#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Header of an NPY file, versions 1.0 to 3.0
/// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
struct NpyHeader {
  std::string descr{};  ///< "<f8": byte order, kind, bytes per item
  bool fortran_order = false;
  std::vector<Index> shape{};
  std::size_t data_offset = 0;
};

/// Parses the header. `bytes` is the whole file. Throws DataError naming `path`.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view bytes, const std::string& path);

/// Function that gives the next bytes of a source that is read once, from its front: fewer than `count` only at the
/// end.
using ReadBytes = std::function<std::size_t(char* out, std::size_t count)>;

/// Takes the header, and no byte more, from the front of an NPY file. Throws DataError naming `path`.
[[nodiscard]] NpyHeader read_npy_header(const ReadBytes& read, const std::string& path);

/// Makes the header of a 2-D array in C order, version 1.0, padded so that the data begin at a multiple of 64 bytes. It
/// has at least `room` bytes, which a header for another number of rows may need that replaces it later.
[[nodiscard]] std::string make_npy_header(Index rows, Index cols, Precision precision, std::size_t room = 0);
/// Makes the header of an array of any type and shape, both as NumPy writes them: "<i8", "(3,)".
[[nodiscard]] std::string make_npy_header(std::string_view descr, std::string_view shape, std::size_t room = 0);

}  // namespace dualkpca
