#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dualkpca {

/// A file inside a zip archive, as its directory describes it.
struct ZipEntry {
  std::string name{};
  std::uint64_t bytes = 0;  ///< decompressed, if the directory tells the truth
  bool is_encrypted = false;
  std::uint64_t method = 0;  ///< 0 stored, 8 deflated
  std::uint64_t directory_at = 0, number = 0;

  [[nodiscard]] bool is_stored() const { return method == 0; }
};

/// The directory of the archive. Throws DataError if the file is no zip archive, or damaged.
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
  /// Where the data of a stored entry begin in the archive; to be asked before anything is read.
  [[nodiscard]] std::size_t data_at() const;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  void* archive_ = nullptr;
  std::string name_;
  std::uint64_t left_ = 0;
};

}  // namespace dualkpca
