#pragma once

#include <string>
#include <string_view>

namespace dualkpca::fuzz {

/// A file without a folder: it lives in memory, and only this process sees it.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// What it contains now.
  [[nodiscard]] std::string read() const;

 private:
  int descriptor_ = -1;
};

}  // namespace dualkpca::fuzz
