#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/data/write.hpp"

namespace dualkpca {

/// Writer of a zip archive of stored entries with 64-bit sizes, one after the other, to a file or a pipe. It does not
/// use minizip, which can only write to files and cannot replace the beginning of an entry once its rest is known.
class ZipWriter {
 public:
  explicit ZipWriter(OutputFile& out) : out_(out) {}

  /// Begins an entry with bytes that end() may replace.
  void begin(const std::string& name, std::string_view head);
  void write(const void* bytes, std::size_t count);
  /// Ends an entry. `head` are the bytes given to begin() or, if the output can be rewritten, other bytes of that
  /// length.
  void end(std::string_view head);
  /// Writes the directory, after the last entry.
  void finish();

 private:
  struct Entry {
    std::string name{};
    std::uint64_t at = 0, bytes = 0;
    std::uint32_t checksum = 0;
  };
  void put(std::string_view bytes);
  [[nodiscard]] std::string local_header(const Entry& entry) const;

  OutputFile& out_;
  std::uint64_t position_ = 0;
  std::uint32_t tail_checksum_ = 0;  ///< checksum of the entry's bytes after its head
  std::uint64_t tail_bytes_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace dualkpca
