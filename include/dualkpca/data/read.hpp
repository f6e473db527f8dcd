#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/data/file_format.hpp"
#include "dualkpca/data/samples.hpp"

namespace dualkpca {

struct ReadOptions {
  std::optional<std::string> label_col{};  ///< column kept as text: its name or, if digits alone, its number from 1
  std::optional<std::string> id_col{};     ///< likewise
  std::optional<FileFormat> format{};      ///< unset: by the extension
  Index n_features = 0;                    ///< columns of a LIBSVM file; 0: its largest index
  int threads = 0;                         ///< 0: all processors
  std::size_t memory = 0;                  ///< bytes that the rows and texts may take; 0: what is available
  Observer observe{};                      ///< told how much of a large file is read; may stop it (throws Interrupted)
};

/// The rows of a file, one block after the other, in memory that does not grow with the file.
class DataStream {
 public:
  virtual ~DataStream() = default;
  /// -1 if only reading to the end tells.
  [[nodiscard]] virtual Index rows() const = 0;
  /// -1 if only reading to the end tells: LIBSVM without ReadOptions::n_features.
  [[nodiscard]] virtual Index cols() const = 0;
  /// Whether the blocks are sparse.
  [[nodiscard]] virtual bool is_sparse() const = 0;
  /// Empty if the file names none, as most formats do not.
  [[nodiscard]] virtual const std::vector<std::string>& feature_names() const;
  /// The next rows in the order of the file, at least one and at most `most`; none after the last. Throws as
  /// read_dataset() does, with rows counted from the beginning of the file.
  [[nodiscard]] virtual Dataset next(Index most) = 0;
  /// Bytes that the next blocks may take. It matters where a single row is larger than a block should be, which is then
  /// refused (ResourceError). 0: what is available.
  void limit_block(std::size_t bytes) { block_memory_ = bytes; }

 protected:
  [[nodiscard]] std::size_t block_memory() const { return block_memory_; }

 private:
  std::size_t block_memory_ = 0;
};

/// Opens what read_dataset() reads, to be read a block at a time.
[[nodiscard]] std::unique_ptr<DataStream> open_dataset(const std::string& path, const ReadOptions& options = {});

/// Reads a file whose extension, or ReadOptions::format, tells one of the formats of FileFormat; text may be compressed
/// by gzip or bzip2, and "-" is standard input. Pipes and devices without a telling name are CSV. "file.h5:/dataset"
/// and "file.npz:name" choose what is read of several arrays. Rows are samples. Throws DataError naming the file and,
/// where there is one, the row and column (counted from 1, the header not counted as a row) and the line; ResourceError
/// for more than ReadOptions::memory, or than the memory that is available; InvalidArgument for a label or id column
/// that is not there, and for any with a format other than CSV and TSV.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// Likewise for delimited text, whatever the extension. A first line is a header when one of its fields is neither a
/// number nor a missing value and is not in a label or id column given by number, or when it holds the name of one.
/// Quotes, CRLF, a UTF-8 byte order mark and blanks around fields are understood. Missing values, infinity and numbers
/// too large for float64 are refused.
[[nodiscard]] Dataset read_csv(const std::string& path, char delimiter, const ReadOptions& options = {});

/// Maps a 2-D array of float32 or float64, C or Fortran order; integers, bool and big-endian floats are converted to a
/// copy in float64, of at most `memory` bytes (0: what is available). Labels and ids do not exist. Whether the numbers
/// are finite is not checked: see require_finite().
[[nodiscard]] Dataset read_npy(const std::string& path, std::size_t memory = 0);

/// Whether a thread is inside libhdf5 at this moment, which crashes on some forged files. For the signal handler of a
/// program that wants to say so.
[[nodiscard]] bool is_inside_hdf5() noexcept;

}  // namespace dualkpca
