#include "core/huge_buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca {

HugeBuffer::HugeBuffer(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data_ == MAP_FAILED)
    throw ResourceError(
        fmt::format("out of memory: {} could not be allocated; free memory or use fewer rows", format_bytes(bytes)));
  madvise(data_, bytes_, MADV_HUGEPAGE);  // only a hint: if it fails, the program is merely slower
}

HugeBuffer::~HugeBuffer() { munmap(data_, bytes_); }

}  // namespace dualkpca
