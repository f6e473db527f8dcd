#include "dualkpca/core/threads.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/blas_library.hpp"
#include "core/blas_memory.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca {
namespace {

std::atomic<bool> in_forked_child{false};

// Registered when the library is loaded, so that no fork can come before it.
[[maybe_unused]] const int fork_handler = pthread_atfork(nullptr, nullptr, [] { in_forked_child = true; });

// These functions are looked up by name, because only OpenBLAS has them.
struct BlasControl {
  void (*set)(int) = nullptr;
  int (*get)() = nullptr;

  BlasControl() {
    void* library = blas_library();
    set = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
    get = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
  }
  [[nodiscard]] bool available() const { return set != nullptr && get != nullptr; }
};

const BlasControl& blas_control() {
  static const BlasControl control;
  return control;
}

constexpr int most_threads = 1024;  // more than machines have, fewer than a process may start

std::mutex guard_mutex;
int guard_count = 0;
int host_threads = 0;

}  // namespace

int resolve_threads(int requested) {
  if (in_forked_child) return 1;
  return requested > 0 ? std::min(requested, most_threads) : std::max(1, omp_get_max_threads());
}

int compute_threads(int requested) { return reserve_blas_memory(resolve_threads(requested)); }

BlasThreadGuard::BlasThreadGuard() {
  const std::lock_guard lock(guard_mutex);
  if (guard_count++ == 0 && blas_control().available()) {
    host_threads = blas_control().get();
    blas_control().set(1);
  }
}

BlasThreadGuard::~BlasThreadGuard() {
  const std::lock_guard lock(guard_mutex);
  if (--guard_count == 0 && blas_control().available()) blas_control().set(host_threads);
}

void set_blas_threads(int threads) {
  // Each thread of BLAS itself takes a buffer when it starts, see reserve_blas_memory().
  if (blas_control().available()) blas_control().set(has_memory_limit() ? 1 : threads);
}

int blas_threads() { return blas_control().available() ? blas_control().get() : 0; }

}  // namespace dualkpca
