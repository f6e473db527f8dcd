#include "core/blas_memory.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/blas_library.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{128} << 20;  // size in OpenBLAS since 0.3.8, on every x86

constexpr std::size_t least_bytes = buffer_bytes + (buffer_bytes >> 4);  // plus a little for the work itself

bool has_room(std::size_t bytes) {
  void* room = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  ::munmap(room, bytes);
  return true;
}

// OpenBLAS's own functions for its buffers, which it calls for every product.
struct Buffers {
  void* (*take)(int) = nullptr;
  void (*give_back)(void*) = nullptr;

  Buffers() {
    void* library = blas_library();
    take = reinterpret_cast<void* (*)(int)>(dlsym(library, "blas_memory_alloc"));
    give_back = reinterpret_cast<void (*)(void*)>(dlsym(library, "blas_memory_free"));
  }
  [[nodiscard]] bool are_known() const { return take != nullptr && give_back != nullptr; }
};

std::mutex reserving;
int reserved = 0;

}  // namespace

int reserve_blas_memory(int threads) {
  if (!has_memory_limit()) return threads;
  static const Buffers buffers;
  if (!buffers.are_known()) return threads;
  const std::lock_guard lock(reserving);
  std::vector<void*> taken;  // hold all at once: OpenBLAS would hand out a returned buffer again
  const int wanted = std::max(1, threads);
  while (static_cast<int>(taken.size()) < wanted) {
    const auto held = static_cast<int>(taken.size());
    if (held >= reserved && !has_room(held == 0 ? least_bytes : 2 * buffer_bytes)) break;
    taken.push_back(buffers.take(0));
  }
  for (void* buffer : taken) buffers.give_back(buffer);
  reserved = std::max(reserved, static_cast<int>(taken.size()));
  if (taken.empty())
    throw ResourceError(
        fmt::format("the linear algebra library needs a buffer of {}, and this process may allocate only {} more: "
                    "raise its limit (ulimit -v, ulimit -d)",
                    format_bytes(least_bytes), format_bytes(available_memory())));
  return static_cast<int>(taken.size());
}

}  // namespace dualkpca
