#pragma once

#include <cstddef>

namespace dualkpca {

/// Zeroed memory straight from the operating system, in huge pages if it grants them. Touching a Gram matrix in pages
/// of 4 KiB spends more time in page faults than in arithmetic. Throws ResourceError.
class HugeBuffer {
 public:
  explicit HugeBuffer(std::size_t bytes);
  ~HugeBuffer();
  HugeBuffer(const HugeBuffer&) = delete;
  HugeBuffer& operator=(const HugeBuffer&) = delete;
  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace dualkpca
