#include "core/growing_buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca {

void* resize_pages(void* old, std::size_t old_bytes, std::size_t bytes) {
  void* pages = old == nullptr
                    ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                    : ::mremap(old, old_bytes, bytes, MREMAP_MAYMOVE);
  if (pages == MAP_FAILED)
    throw ResourceError(
        fmt::format("out of memory: {} could not be allocated; free memory or use fewer rows", format_bytes(bytes)));
  return pages;
}

void free_pages(void* pages, std::size_t bytes) noexcept {
  if (pages != nullptr) ::munmap(pages, bytes);
}

}  // namespace dualkpca
