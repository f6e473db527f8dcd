#pragma once

#include <string>
#include <string_view>

namespace dualkpca::fuzz {

/// A file in memory without a folder, which only this process can open.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Returns the current contents.
  [[nodiscard]] std::string read() const;

 private:
  int descriptor_ = -1;
};

}  // namespace dualkpca::fuzz
