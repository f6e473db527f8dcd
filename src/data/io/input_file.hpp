#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace dualkpca {

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

/// Throws DataError with the system's reason if there is no such file or it is a directory.
void require_file(const std::string& path);

}  // namespace dualkpca
