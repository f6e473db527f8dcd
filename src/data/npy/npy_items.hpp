#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "data/npy/npy_header.hpp"
#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Storage of the items of an array.
struct NpyItems {
  std::size_t bytes = 0;  ///< bytes of one item
  bool swapped = false;   ///< true if the byte order is not that of this machine
  char kind = 'f';        ///< 'f' float, 'i' and 'u' integer, 'b' bool
  void (*widen)(const char* bytes, std::size_t count, bool swapped, double* out) = nullptr;

  /// Returns the precision of items that need no conversion; unset for all others, which become float64.
  [[nodiscard]] std::optional<Precision> as_stored() const;
  void convert(const char* from, std::size_t count, double* out) const { widen(from, count, swapped, out); }
};

/// Returns the storage that the header declares. Throws DataError naming `path`, as the next two functions do.
[[nodiscard]] NpyItems find_items(const NpyHeader& header, const std::string& path);
/// Throws unless there are two dimensions, neither of them 0.
void require_matrix(const NpyHeader& header, const std::string& path);
/// Throws unless there are as many bytes of data as the shape, of one or two dimensions, needs.
void require_data(const NpyHeader& header, const NpyItems& items, std::size_t present, const std::string& path);
/// Returns the shape as NumPy shows it: "(3, 4)", "(3,)".
[[nodiscard]] std::string shape_text(const NpyHeader& header);

}  // namespace dualkpca
