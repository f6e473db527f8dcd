#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dualkpca/core/types.hpp"
#include "dualkpca/data/file_format.hpp"
#include "dualkpca/data/samples.hpp"

namespace dualkpca {

class TemporaryName;

/// A file that appears whole or not at all. Bytes go to a file without a name, which vanishes with the process however
/// that ends; where the file system has no such files, they go to a temporary name beside `path`, which the destructor
/// removes. commit() puts the file in place of `path`; a symbolic link stays one, and what it leads to is written. A
/// `path` that exists and is no regular file (a pipe, a device)
/// is written directly; "-" and /dev/stdout are standard output. Throws ResourceError if the disk or quota is full,
/// DataError with the system's reason if anything else is in the way.
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

  /// Whether bytes that were written can be replaced: not those of a pipe.
  [[nodiscard]] bool can_rewrite() const { return !target_.empty(); }
  void rewrite(std::size_t at, std::string_view bytes);
  /// The name under which the file is written until commit(), for a library that opens files by name. The file gets it
  /// here at the latest, and from then on a killed process leaves it behind. Empty if `path` is written directly.
  [[nodiscard]] const std::string& temporary();
  /// Whether can_rewrite() would be false.
  [[nodiscard]] static bool is_written_directly(const std::string& path);
  /// The file that is written for `path`: where a symbolic link leads, also if nothing is there yet.
  [[nodiscard]] static std::string followed(const std::string& path);

  /// For programs that are stopped by a signal, whose handler may call both. How many blocks have been written to any
  /// file: a number that grows as long as writing goes on.
  [[nodiscard]] static unsigned long blocks_written() noexcept;
  /// Removes the temporary files of this process, before it is ended.
  static void remove_temporaries() noexcept;

 private:
  [[nodiscard]] int open();
  [[nodiscard]] int open_new(mode_t mode);
  [[nodiscard]] bool move_to_name();
  [[noreturn]] void fail(const char* action) const;
  std::string path_;
  std::string target_;     ///< what commit() puts in place: `path`, or the file it links to; empty if written directly
  std::string temporary_;  ///< empty while the file has no name
  std::shared_ptr<TemporaryName> registered_;  ///< temporary_, for a signal handler
  std::FILE* file_ = nullptr;
  std::size_t unsynced_ = 0;  ///< bytes that may not be on the disk yet
};

/// What a table holds, and how it is written.
struct TableLayout {
  std::vector<std::string> columns{};  ///< names of the numbers' columns; empty: x1, x2, ...
  Index cols = 0;                      ///< how many there are; may be left 0 if they are named
  Index rows = -1;                     ///< -1: not known yet
  Index nonzeros = -1;                 ///< entries of sparse rows; -1: not known yet
  bool sparse = false;                 ///< formats that can (LIBSVM, Matrix Market, NPZ, HDF5) store the entries alone
  bool with_ids = false;               ///< CSV and TSV: a first column of ids; left out elsewhere
  bool with_labels = false;            ///< CSV and TSV: a last column of labels; LIBSVM: numbers; left out elsewhere
  bool with_header = true;             ///< CSV and TSV: a first line of names
  std::string id_name = "id";
  std::string label_name = "label";
  Precision precision = Precision::float64;
  std::optional<FileFormat> format{};  ///< unset: by the extension; CSV for "-" and anything in /dev
};

/// Writes a table of scores or samples row block by row block.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  /// `ids` and `labels` have one entry per row of the block if the layout has them, and are left out otherwise. Throws
  /// InvalidArgument if the block does not have the table's columns.
  void write(const SamplesView& block, const std::vector<std::string>& ids = {},
             const std::vector<std::string>& labels = {});
  template <class Derived>
  void write(const Eigen::MatrixBase<Derived>& block, const std::vector<std::string>& ids = {},
             const std::vector<std::string>& labels = {}) {
    const Eigen::Ref<const Matrix> rows(block.derived());
    write(SamplesView(rows.data(), Precision::float64, rows.rows(), rows.cols(), rows.outerStride(), 1), ids, labels);
  }
  /// To be called once, last. Throws InvalidArgument if the table has not got the rows it was promised.
  void commit();

 protected:
  explicit TableWriter(TableLayout layout) : layout_(std::move(layout)) {}
  virtual void write_block(const SamplesView& block, const std::vector<std::string>& ids,
                           const std::vector<std::string>& labels) = 0;
  virtual void finish() = 0;
  [[nodiscard]] const TableLayout& layout() const { return layout_; }
  [[nodiscard]] Index cols() const { return layout_.cols; }
  /// Rows so far.
  [[nodiscard]] Index written() const { return written_; }

 private:
  TableLayout layout_;
  Index written_ = 0;
};

/// Writes CSV, TSV, LIBSVM and Matrix Market (with .gz or .bz2 at the end: compressed), NPY, NPZ (one array, X, or
/// scipy's sparse matrix) and HDF5 (`file.h5:/name`, by default /X). `path` "-" is standard output. Numbers are written
/// so that reading them back gives the same float64 (float32 if the layout says so). Rows and nonzeros have to be known
/// beforehand where needs_totals() says so. Throws InvalidArgument for another extension, and as OutputFile does.
[[nodiscard]] std::unique_ptr<TableWriter> make_table_writer(const std::string& path, const TableLayout& layout);

/// Numbers alone or with ids.
[[nodiscard]] std::unique_ptr<TableWriter> make_table_writer(const std::string& path,
                                                             const std::vector<std::string>& columns, Index rows,
                                                             bool with_ids, Precision precision = Precision::float64);

/// The format in which make_table_writer() writes. Throws InvalidArgument if nothing tells.
[[nodiscard]] FileFormat table_format(const std::string& path, const TableLayout& layout);

/// Whether the format has the number of rows (and of entries) at its beginning, and what is written there cannot be
/// corrected later: pipes, and compressed text.
[[nodiscard]] bool needs_totals(const std::string& path, const TableLayout& layout);

}  // namespace dualkpca
