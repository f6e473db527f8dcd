#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/data/file_format.hpp"
#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Options of read_dataset() and open_dataset().
struct ReadOptions {
  std::optional<std::string> label_col{};  ///< column of labels, kept as text: its name, or its number from 1 as digits
  std::optional<std::string> id_col{};     ///< column of row names, given in the same way
  std::optional<FileFormat> format{};      ///< format of the file; unset: by the extension
  Index n_features = 0;                    ///< columns of a LIBSVM file; 0: its largest index
  int threads = 0;                         ///< 0: all processors
  std::size_t memory = 0;                  ///< bytes that the rows and texts may take; 0: what is available
  Observer observe{};                      ///< gets the progress with large files; may stop the reading (Interrupted)
};

/// Reader of a file that gives the rows in blocks, in memory that does not grow with the file.
class DataStream {
 public:
  virtual ~DataStream() = default;
  /// Returns the number of rows, or -1 if it is known only at the end of the file.
  [[nodiscard]] virtual Index rows() const = 0;
  /// Returns the number of columns, or -1 if it is known only at the end: LIBSVM without ReadOptions::n_features.
  [[nodiscard]] virtual Index cols() const = 0;
  /// Returns whether the blocks are sparse.
  [[nodiscard]] virtual bool is_sparse() const = 0;
  /// Returns the names of the columns; empty if the file has none, as in most formats.
  [[nodiscard]] virtual const std::vector<std::string>& feature_names() const;
  /// Returns the next rows in the order of the file, at least one and at most `most`; none after the last. Throws as
  /// read_dataset() does, with rows counted from the beginning of the file.
  [[nodiscard]] virtual Dataset next(Index most) = 0;
  /// Sets the bytes that the next blocks may take; 0: what is available. They matter where a single row is larger than
  /// an ordinary block: a row that exceeds them is refused with a ResourceError.
  void limit_block(std::size_t bytes) { block_memory_ = bytes; }

 protected:
  [[nodiscard]] std::size_t block_memory() const { return block_memory_; }

 private:
  std::size_t block_memory_ = 0;
};

/// Opens a file that read_dataset() could read, to be read a block at a time.
[[nodiscard]] std::unique_ptr<DataStream> open_dataset(const std::string& path, const ReadOptions& options = {});

/// Reads a data file whose rows are samples. ReadOptions::format or else the extension gives the format; pipes and
/// devices without an extension are taken for CSV. Text may be compressed by gzip or bzip2, and "-" is standard input.
/// "file.h5:/dataset" and "file.npz:name" choose one of several arrays.
/// Throws
///   DataError        naming the file and, where there is one, the row and column (counted from 1, without the header)
///                    and the line;
///   ResourceError    if the rows need more than ReadOptions::memory, or than the memory that is available;
///   InvalidArgument  if a label or id column does not exist, or is given for a format other than CSV and TSV.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// Reads delimited text, whatever the extension. The first line is a header in two cases: one of its fields is neither
/// a number nor a missing value and is not in a label or id column given by number, or a field is the name of such a
/// column. Quotes, CRLF, a UTF-8 byte order mark and blanks around fields are understood. Missing values, infinity and
/// numbers too large for float64 are refused. Throws as read_dataset() does.
[[nodiscard]] Dataset read_csv(const std::string& path, char delimiter, const ReadOptions& options = {});

/// Maps an NPY file into memory: a 2-D array of float32 or float64, in C or Fortran order. Integers, bool and
/// big-endian floats are converted to a copy in float64, of at most `memory` bytes (0: what is available). There are no
/// labels and ids. Whether the numbers are finite is not checked: see SamplesView::require_finite().
[[nodiscard]] Dataset read_npy(const std::string& path, std::size_t memory = 0);

/// Returns whether a thread is inside libhdf5 at this moment. libhdf5 crashes on some forged files, and the signal
/// handler of a program can then name it as the cause.
[[nodiscard]] bool is_inside_hdf5() noexcept;

}  // namespace dualkpca
