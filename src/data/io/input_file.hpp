#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace dualkpca {

/// Throws DataError: `name` cannot be read, for the system's reason.
[[noreturn]] void throw_unreadable(const std::string& name, int error);

/// Throws DataError with the system's reason if there is no such file or it is a directory.
void require_file(const std::string& path);

/// A file that is open for reading, and closed at the end.
class OpenFile {
 public:
  /// Throws DataError with the system's reason.
  explicit OpenFile(const std::string& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// The size of a regular file; 0 for a pipe or device.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Reads from the place `at`, fewer than `count` bytes only at the end. Throws DataError, in which `name` stands for
  /// the file.
  [[nodiscard]] std::size_t read(char* out, std::size_t count, std::size_t at, const std::string& name) const;

 private:
  int descriptor_ = -1;
  std::size_t bytes_ = 0;
};

/// The bytes of a file, mapped where that is possible and read otherwise (pipes, /proc). A mapping shows what other
/// programs write into the file; replacing it by rename, as OutputFile does, leaves the mapping as it was.
class InputFile {
 public:
  /// Throws DataError with the system's reason.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  void read_all(int descriptor, const std::string& path);

  std::string_view bytes_;
  void* mapping_ = nullptr;
  std::string buffer_;  ///< the bytes, if they are not mapped
};

}  // namespace dualkpca
