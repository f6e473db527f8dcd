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

/// Output file that appears whole or not at all. Bytes go to a file without a name, which vanishes with the process
/// however that ends. If the file system has no such files, they go to a temporary name beside `path`, which the
/// destructor removes. commit() puts the file in place of `path`. If `path` is a symbolic link, it stays one, and the
/// file that it leads to is replaced. A `path` that exists and is no regular file (a pipe, a device) is written
/// directly; "-" and /dev/stdout are standard output. Throws ResourceError if the disk or quota is full, and DataError
/// with the system's reason for any other failure.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Puts the file in place. Must be called once, last.
  void commit();

  /// Returns whether bytes that were written can be replaced; those of a pipe cannot.
  [[nodiscard]] bool can_rewrite() const { return !target_.empty(); }
  /// Replaces written bytes from the place `at` on.
  void rewrite(std::size_t at, std::string_view bytes);
  /// Returns the name under which the file is written until commit(), for a library that opens files by name. If the
  /// file has no name yet, it gets one here, and from then on a killed process leaves it behind. Empty if `path` is
  /// written directly.
  [[nodiscard]] const std::string& temporary();
  /// Returns whether `path` is a pipe, a device or standard output, so that can_rewrite() would be false.
  [[nodiscard]] static bool is_written_directly(const std::string& path);
  /// Returns the file that is written for `path`: the target of a symbolic link, even if it does not exist yet.
  [[nodiscard]] static std::string followed(const std::string& path);

  /// Returns the number of blocks that have been written to any file, which grows as long as writing goes on. A signal
  /// handler may call it.
  [[nodiscard]] static unsigned long blocks_written() noexcept;
  /// Removes the temporary files of this process. A signal handler that ends the process may call it.
  static void remove_temporaries() noexcept;

 private:
  [[nodiscard]] int open();
  [[nodiscard]] int open_new(mode_t mode);
  [[nodiscard]] bool move_to_name();
  [[noreturn]] void fail(const char* action) const;
  std::string path_;
  std::string target_;     ///< file that commit() replaces: `path`, or the file it links to; empty if written directly
  std::string temporary_;  ///< empty while the file has no name
  std::shared_ptr<TemporaryName> registered_;  ///< temporary_, for a signal handler
  std::FILE* file_ = nullptr;
  std::size_t unsynced_ = 0;  ///< bytes that may not be on the disk yet
};

/// Columns of a table, and how it is written.
struct TableLayout {
  std::vector<std::string> columns{};  ///< names of the columns of numbers; empty: x1, x2, ...
  Index cols = 0;                      ///< number of these columns; may be 0 if they are named
  Index rows = -1;                     ///< number of rows; -1: not known yet
  Index nonzeros = -1;                 ///< entries of sparse rows; -1: not known yet
  bool sparse = false;                 ///< store the entries alone, if the format can: LIBSVM, Matrix Market, NPZ, HDF5
  bool with_ids = false;               ///< CSV and TSV: a first column of ids; other formats leave ids out
  bool with_labels = false;            ///< CSV and TSV: a last column of labels; LIBSVM: numbers; others: none
  bool with_header = true;             ///< CSV and TSV: a first line of names
  std::string id_name = "id";          ///< name of the column of ids
  std::string label_name = "label";    ///< name of the column of labels
  Precision precision = Precision::float64;
  std::optional<FileFormat> format{};  ///< unset: by the extension; CSV for "-" and anything in /dev
};

/// Writer of a table of scores or samples, block of rows by block of rows.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  /// Writes a block of rows. `ids` and `labels` have one entry per row if the layout has them, and are left out
  /// otherwise. Throws InvalidArgument if the block does not have the columns of the table.
  void write(const SamplesView& block, const std::vector<std::string>& ids = {},
             const std::vector<std::string>& labels = {});
  template <class Derived>
  void write(const Eigen::MatrixBase<Derived>& block, const std::vector<std::string>& ids = {},
             const std::vector<std::string>& labels = {}) {
    const Eigen::Ref<const Matrix> rows(block.derived());
    write(SamplesView(rows.data(), Precision::float64, rows.rows(), rows.cols(), rows.outerStride(), 1), ids, labels);
  }
  /// Ends the table and puts the file in place. Must be called once, last. Throws InvalidArgument if the number of rows
  /// is not that of the layout.
  void commit();

 protected:
  explicit TableWriter(TableLayout layout) : layout_(std::move(layout)) {}
  virtual void write_block(const SamplesView& block, const std::vector<std::string>& ids,
                           const std::vector<std::string>& labels) = 0;
  virtual void finish() = 0;
  [[nodiscard]] const TableLayout& layout() const { return layout_; }
  [[nodiscard]] Index cols() const { return layout_.cols; }
  /// Returns the number of rows so far.
  [[nodiscard]] Index written() const { return written_; }

 private:
  TableLayout layout_;
  Index written_ = 0;
};

/// Returns a writer for CSV, TSV, LIBSVM and Matrix Market (compressed with .gz or .bz2 at the end), NPY, NPZ (one
/// array, X, or a sparse matrix as SciPy writes it) and HDF5 (`file.h5:/name`, by default /X). `path` "-" is standard
/// output. Numbers are written so that reading them back gives the same float64 (or float32, if the layout says so).
/// Rows and nonzeros must be known beforehand if needs_totals() is true. Throws InvalidArgument for another extension,
/// and as OutputFile does.
[[nodiscard]] std::unique_ptr<TableWriter> make_table_writer(const std::string& path, const TableLayout& layout);

/// Returns a writer of a table of numbers, with or without ids.
[[nodiscard]] std::unique_ptr<TableWriter> make_table_writer(const std::string& path,
                                                             const std::vector<std::string>& columns, Index rows,
                                                             bool with_ids, Precision precision = Precision::float64);

/// Returns the format in which make_table_writer() writes. Throws InvalidArgument if neither the layout nor the
/// extension gives one.
[[nodiscard]] FileFormat table_format(const std::string& path, const TableLayout& layout);

/// Returns whether the number of rows (and of entries) must be known beforehand: the format has it at its beginning,
/// and it cannot be corrected there later, because the output is a pipe or compressed text.
[[nodiscard]] bool needs_totals(const std::string& path, const TableLayout& layout);

}  // namespace dualkpca
