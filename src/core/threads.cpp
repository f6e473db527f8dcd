#include "dualkpca/core/threads.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace dualkpca {
namespace {

std::atomic<bool> in_forked_child{false};

// Registered when the library is loaded, so that no fork can come before it.
[[maybe_unused]] const int fork_handler = pthread_atfork(nullptr, nullptr, [] { in_forked_child = true; });

int processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return 1;
}

// Looked up by name: BLAS is whatever the system's alternatives say, and only OpenBLAS has these.
struct BlasControl {
  void (*set)(int) = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  int (*get)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  [[nodiscard]] bool available() const { return set != nullptr && get != nullptr; }
};

const BlasControl& blas() {
  static const BlasControl control;
  return control;
}

std::mutex guard_mutex;
int guard_count = 0;
int host_threads = 0;

}  // namespace

int resolve_threads(int requested) {
  if (in_forked_child) return 1;
  return requested > 0 ? requested : processors();
}

BlasThreadGuard::BlasThreadGuard() {
  const std::lock_guard lock(guard_mutex);
  if (guard_count++ == 0 && blas().available()) {
    host_threads = blas().get();
    blas().set(1);
  }
}

BlasThreadGuard::~BlasThreadGuard() {
  const std::lock_guard lock(guard_mutex);
  if (--guard_count == 0 && blas().available()) blas().set(host_threads);
}

void set_blas_threads(int threads) {
  if (blas().available()) blas().set(threads);
}

int blas_threads() { return blas().available() ? blas().get() : 0; }

}  // namespace dualkpca
