#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "dualkpca/core/observer.hpp"

namespace dualkpca {

/// Reader of the bytes of a file or pipe, from front to end. gzip and bzip2 are recognised by their first bytes and
/// decompressed.
class ByteSource {
 public:
  /// Opens a file; "-" is standard input. While a pipe is silent, `observe` is asked now and then whether to go on.
  /// Throws DataError with the system's reason, and Interrupted, here and in read(), if the observer stops it.
  explicit ByteSource(const std::string& path, Observer observe = {});
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads `count` bytes to `out`, and returns their number: fewer only at the end. Throws DataError if the file cannot
  /// be read or its compressed data are damaged or cut short.
  [[nodiscard]] std::size_t read(char* out, std::size_t count);
  /// Returns the share of the file (of its compressed bytes) that was read, 0..1; negative for a pipe.
  [[nodiscard]] double fraction() const;
  [[nodiscard]] bool is_compressed() const;
  /// Returns the name that messages use.
  [[nodiscard]] const std::string& name() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dualkpca
