#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "dualkpca/core/observer.hpp"

namespace dualkpca {

/// The bytes of a file or pipe one after the other; gzip and bzip2, told by their first bytes, are decompressed.
class ByteSource {
 public:
  /// "-" is standard input. While a pipe has nothing to read and a signal comes, `observe` is asked whether to go on.
  /// Throws DataError with the system's reason; Interrupted, here and in read(), if the observer says no.
  explicit ByteSource(const std::string& path, Observer observe = {});
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills `out`; fewer than `count` bytes only at the end. Throws DataError if the file cannot be read or its
  /// compressed data are damaged or cut short.
  [[nodiscard]] std::size_t read(char* out, std::size_t count);
  /// Share of the file that is read (of its compressed bytes), 0..1; negative for a pipe.
  [[nodiscard]] double fraction() const;
  [[nodiscard]] bool is_compressed() const;
  /// As messages name it.
  [[nodiscard]] const std::string& name() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dualkpca
