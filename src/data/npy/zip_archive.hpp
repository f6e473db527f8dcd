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
  std::uint64_t bytes = 0;   ///< decompressed, if the directory tells the truth
  std::uint64_t stored = 0;  ///< in the archive
  std::uint64_t header_at = 0;
  std::uint32_t checksum = 0;
  unsigned method = 0;  ///< 0 stored, 8 deflated
  bool is_encrypted = false;

  [[nodiscard]] bool is_stored() const { return method == 0; }
};

/// The directory of the archive, 64-bit sizes included, which Debian's minizip 1.1 does not understand. Throws
/// DataError if the file is no zip archive, or damaged.
[[nodiscard]] std::vector<ZipEntry> list_zip(const std::string& path);

/// Decompresses one entry from its front. Several may be read at the same time. All throw DataError.
class ZipMember {
 public:
  ZipMember(const std::string& path, const ZipEntry& entry);
  ~ZipMember();
  ZipMember(const ZipMember&) = delete;
  ZipMember& operator=(const ZipMember&) = delete;

  /// Fewer than `count` bytes only at the end.
  [[nodiscard]] std::size_t read(char* out, std::size_t count);
  /// Reads what is left, and compares the checksum.
  void finish();
  /// Where the data begin in the archive.
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
  std::uint64_t taken_ = 0;  ///< of the stored bytes
  std::uint64_t given_ = 0;  ///< of the decompressed bytes
  unsigned long checksum_ = 0;
  bool inflating_ = false;
  z_stream inflater_{};
  std::vector<char> input_;
};

}  // namespace dualkpca
