#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace dualkpca {

/// Throws the DataError that `name` cannot be read, with the system's reason for `error`.
[[noreturn]] void throw_unreadable(const std::string& name, int error);

/// Throws DataError with the system's reason if there is no such file or it is a directory.
void require_file(const std::string& path);

/// File that is open for reading; the destructor closes it.
class OpenFile {
 public:
  /// Throws DataError with the system's reason.
  explicit OpenFile(const std::string& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Returns the size of a regular file; 0 for a pipe or device.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Reads `count` bytes from the place `at`, and returns their number: fewer only at the end. Throws DataError; `name`
  /// is the file, for the message.
  [[nodiscard]] std::size_t read(char* out, std::size_t count, std::size_t at, const std::string& name) const;

 private:
  int descriptor_ = -1;
  std::size_t bytes_ = 0;
};

/// The bytes of a file, mapped if possible and read otherwise (pipes, /proc). A mapping shows what other programs write
/// into the file. If the file is replaced by rename, as OutputFile does, the mapping stays as it was.
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
