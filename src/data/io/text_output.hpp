#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/data/write.hpp"

namespace dualkpca {

enum class Compression { none, gzip, bzip2 };

/// By the end of the path: .gz, .bz2.
[[nodiscard]] Compression compression_of(const std::string& path);

/// An OutputFile that collects small pieces and compresses them if the path says so. Throws as OutputFile does.
class TextOutput {
 public:
  explicit TextOutput(const std::string& path);
  ~TextOutput();
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  /// What is appended here is written in time, see flush_if_full().
  [[nodiscard]] std::string& buffer() { return buffer_; }
  void flush_if_full();
  /// Whether what was written can be replaced: neither in a pipe nor in compressed data.
  [[nodiscard]] bool can_rewrite() const;
  void rewrite(std::size_t at, std::string_view bytes);
  /// To be called once, last.
  void commit();

  /// The shortest digits that read back as the same number.
  void append_number(double value, Precision precision);

  class Compressor;

 private:
  void flush(bool last = false);
  OutputFile file_;
  std::string buffer_;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace dualkpca
