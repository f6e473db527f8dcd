#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/data/write.hpp"

namespace dualkpca {

enum class Compression { none, gzip, bzip2 };

/// Returns the compression that the end of the path gives: .gz, .bz2.
[[nodiscard]] Compression compression_of(const std::string& path);

/// An OutputFile that collects small pieces, and compresses them if the path ends in .gz or .bz2. Throws as OutputFile
/// does.
class TextOutput {
 public:
  explicit TextOutput(const std::string& path);
  ~TextOutput();
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  /// Returns the buffer to append to. Call flush_if_full() from time to time.
  [[nodiscard]] std::string& buffer() { return buffer_; }
  /// Writes the buffer if it is full.
  void flush_if_full();
  /// Returns whether written bytes can be replaced: neither in a pipe nor in compressed data.
  [[nodiscard]] bool can_rewrite() const;
  void rewrite(std::size_t at, std::string_view bytes);
  /// Writes the rest and puts the file in place. Must be called once, last.
  void commit();

  /// Appends the shortest digits that read back as the same number.
  void append_number(double value, Precision precision);

  class Compressor;

 private:
  void flush(bool last = false);
  OutputFile file_;
  std::string buffer_;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace dualkpca
