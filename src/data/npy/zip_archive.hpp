#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/io/input_file.hpp"

namespace dualkpca {

/// A file inside a zip archive, as its directory describes it.
struct ZipEntry {
  std::string name{};
  std::uint64_t bytes = 0;   ///< decompressed size that the directory declares
  std::uint64_t stored = 0;  ///< size in the archive
  std::uint64_t header_at = 0;
  std::uint32_t checksum = 0;
  unsigned method = 0;  ///< 0 stored, 8 deflated
  bool is_encrypted = false;

  [[nodiscard]] bool is_stored() const { return method == 0; }
};

/// Returns the directory of a zip archive. It understands 64-bit sizes, which Debian's minizip 1.1 does not. Throws
/// DataError if the file is not a zip archive, or is damaged.
[[nodiscard]] std::vector<ZipEntry> list_zip(const std::string& path);

/// Reader that decompresses one entry from its front. Several may be read at the same time. All functions throw
/// DataError.
class ZipMember {
 public:
  ZipMember(const std::string& path, const ZipEntry& entry);
  ~ZipMember();
  ZipMember(const ZipMember&) = delete;
  ZipMember& operator=(const ZipMember&) = delete;

  /// Reads `count` bytes, and returns their number: fewer only at the end.
  [[nodiscard]] std::size_t read(char* out, std::size_t count);
  /// Reads the rest, and compares the checksum.
  void finish();
  /// Returns the place in the archive where the data begin.
  [[nodiscard]] std::size_t data_at() const { return data_at_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  [[nodiscard]] std::size_t read_stored(char* out, std::size_t count);
  [[nodiscard]] std::size_t inflate_more(char* out, std::size_t count);

  std::string name_;
  ZipEntry entry_;
  std::optional<OpenFile> file_{};
  std::size_t data_at_ = 0;
  std::uint64_t taken_ = 0;  ///< stored bytes that were taken
  std::uint64_t given_ = 0;  ///< decompressed bytes that were given out
  unsigned long checksum_ = 0;
  bool inflating_ = false;
  z_stream inflater_{};
  std::vector<char> input_;
};

}  // namespace dualkpca
