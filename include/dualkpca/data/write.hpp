#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// A file that appears whole or not at all: bytes go to a temporary name beside `path`, commit() renames it, and the
/// destructor removes what was not committed. A `path` that exists and is no regular file (a pipe, a device) is written
/// directly; "-" and /dev/stdout are standard output. Throws ResourceError if the disk or quota is full, DataError with
/// the system's reason if anything else is in the way.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// To be called once, last.
  void commit();

 private:
  [[nodiscard]] int open();
  [[noreturn]] void fail(const char* action) const;
  std::string path_;
  std::string target_;     ///< what commit() renames to: `path`, or the file it links to
  std::string temporary_;  ///< empty if written directly
  std::FILE* file_ = nullptr;
};

/// Writes a table of scores or samples row block by row block; the format follows the extension (.csv, .tsv, .npy).
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  /// `ids` has one entry per row of the block, or is empty for a table without ids. NPY holds numbers only: ids are
  /// left out. Throws InvalidArgument if the block does not have one column per name.
  virtual void write(ConstMatrixRef block, const std::vector<std::string>& ids) = 0;
  /// To be called once, last. Throws InvalidArgument if an NPY file has not got the rows it was promised.
  virtual void commit() = 0;
};

/// `columns` names the numbers' columns, at least one; ids, if any, come first in a column "id". `rows` may be -1 where
/// it is not known (CSV and TSV only). `path` "-" is standard output; that and anything in /dev are written as CSV.
/// Numbers are written so that reading them back gives the same float64 (float32 if `precision` says so). Throws
/// InvalidArgument for another extension, and as OutputFile does.
[[nodiscard]] std::unique_ptr<TableWriter> make_table_writer(const std::string& path,
                                                             const std::vector<std::string>& columns, Index rows,
                                                             bool with_ids, Precision precision = Precision::float64);

}  // namespace dualkpca
