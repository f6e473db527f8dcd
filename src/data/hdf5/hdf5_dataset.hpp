#pragma once

#include <string>
#include <vector>

#include "data/hdf5/hdf5_handle.hpp"
#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// A readable array of numbers in an HDF5 file, whose type, filters and size were checked.
class Hdf5Dataset {
 public:
  /// Opens the dataset `path`. Throws DataError unless it contains numbers in `rank` dimensions that are in the file.
  /// `name` is for messages.
  Hdf5Dataset(hid_t parent, const std::string& path, const std::string& name, std::size_t rank);

  [[nodiscard]] Index size(std::size_t dimension) const { return static_cast<Index>(sizes_[dimension]); }
  [[nodiscard]] Precision precision() const { return precision_; }
  [[nodiscard]] bool is_integer() const { return is_integer_; }
  /// Returns the size of a chunk along the first dimension; 1 if the data are not in chunks.
  [[nodiscard]] Index chunk_rows() const { return chunk_rows_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Reads the items first..first + count - 1 along the first dimension, as `type` (H5T_NATIVE_FLOAT, ...). Throws
  /// DataError.
  void read(Index first, Index count, hid_t type, void* out) const;

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  void require_numbers();
  void require_filters(hid_t creation) const;
  void require_data(hid_t creation) const;
  void open_with_cache(hid_t parent, const std::string& path, hid_t creation);

  std::string name_;
  Hdf5Handle dataset_;
  std::vector<hsize_t> sizes_;
  std::size_t item_bytes_ = 0;
  Precision precision_ = Precision::float64;
  bool is_integer_ = false;
  Index chunk_rows_ = 1;
};

/// Returns the shape of a dataspace as "(3, 4)".
[[nodiscard]] std::string hdf5_shape_text(hid_t space);
/// Returns whether Hdf5Dataset accepts the type class of the dataset.
[[nodiscard]] bool holds_numbers(hid_t dataset);

}  // namespace dualkpca
