#pragma once

#include <string>

#include "data/hdf5/hdf5_handle.hpp"
#include "dualkpca/data/write.hpp"

namespace dualkpca {

/// A new HDF5 file that appears whole or not at all, with its datasets and groups. Throws ResourceError if the disk is
/// full, InvalidArgument if `path` is a pipe, and DataError for any other failure.
class Hdf5Output {
 public:
  explicit Hdf5Output(const std::string& path);

  [[nodiscard]] hid_t file() const { return handle_.id(); }
  /// Makes a dataset of `rank` dimensions, of which the first grows and `cols` is the second. Its chunks have about 1
  /// MiB and are shuffled and compressed with gzip 1. Numbers with few digits and zeros then shrink to a fraction,
  /// noise costs little time, and every HDF5 library can read them.
  [[nodiscard]] Hdf5Handle make_dataset(hid_t parent, const std::string& name, hid_t type, int rank, Index cols = 1);
  /// Appends `count` rows to such a dataset, which has `have` rows. `type` is the type of `rows` in memory.
  void append(const Hdf5Handle& dataset, hid_t type, int rank, Index have, Index count, Index cols, const void* rows);
  [[nodiscard]] Hdf5Handle make_group(const std::string& name);
  void set_text(const Hdf5Handle& object, const char* name, const std::string& text);
  void set_integers(const Hdf5Handle& object, const char* name, const std::int64_t* values, std::size_t count);
  /// Writes the caches and closes the object. A handle that closes itself would hide a failure.
  void close(Hdf5Handle& object);
  /// Puts the file in place. Must be called once, last, when every other handle is closed.
  void commit();

  /// Returns the number of rows of a chunk.
  [[nodiscard]] static Index chunk_rows(std::size_t row_bytes);

 private:
  /// Throws unless `done` is at least 0.
  void require(std::int64_t done) const;
  std::string shown_;
  OutputFile target_;
  Hdf5Handle handle_;
};

}  // namespace dualkpca
