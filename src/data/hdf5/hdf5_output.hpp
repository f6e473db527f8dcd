#pragma once

#include <string>

#include "data/hdf5/hdf5_handle.hpp"
#include "dualkpca/data/write.hpp"

namespace dualkpca {

/// A new HDF5 file that appears whole or not at all, and what is made in it. Throws ResourceError if the disk is full,
/// DataError for anything else, InvalidArgument if `path` is a pipe.
class Hdf5Output {
 public:
  explicit Hdf5Output(const std::string& path);

  [[nodiscard]] hid_t file() const { return handle_.id(); }
  /// A dataset of `rank` dimensions whose first one grows; `cols` is the second. Its chunks have about 1 MiB and are
  /// shuffled and compressed with gzip 1: numbers with few digits and zeros shrink to a fraction, noise costs little
  /// time, and every HDF5 library reads it.
  [[nodiscard]] Hdf5Handle make_dataset(hid_t parent, const std::string& name, hid_t type, int rank, Index cols = 1);
  /// Appends rows to such a dataset, which has `have` of them; `type` is that of `rows` in memory.
  void append(const Hdf5Handle& dataset, hid_t type, int rank, Index have, Index count, Index cols, const void* rows);
  [[nodiscard]] Hdf5Handle make_group(const std::string& name);
  void set_text(const Hdf5Handle& object, const char* name, const std::string& text);
  void set_integers(const Hdf5Handle& object, const char* name, const std::int64_t* values, std::size_t count);
  /// Writes what waits in caches; closing a dataset would do so too, and hide that it failed.
  void close(Hdf5Handle& object);
  /// To be called once, last, when every other handle is closed.
  void commit();

  /// Rows of a chunk.
  [[nodiscard]] static Index chunk_rows(std::size_t row_bytes);

 private:
  /// Throws unless `done` is at least 0.
  void require(std::int64_t done) const;
  std::string shown_;
  OutputFile target_;
  Hdf5Handle handle_;
};

}  // namespace dualkpca
