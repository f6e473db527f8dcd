#include "dualkpca/core/threads.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/blas.hpp"

namespace dualkpca {
namespace {

std::atomic<bool> in_forked_child{false};

// Registered when the library is loaded, so that no fork can come before it.
[[maybe_unused]] const int fork_handler = pthread_atfork(nullptr, nullptr, [] { in_forked_child = true; });

// Looked up by name: BLAS is whatever the system's alternatives say, and only OpenBLAS has these. In the library that
// gemm itself comes from, because a Python module's libraries are not among those that every module sees.
struct BlasControl {
  void (*set)(int) = nullptr;
  int (*get)() = nullptr;

  BlasControl() {
    Dl_info gemm{};
    if (dladdr(reinterpret_cast<const void*>(&dgemm_), &gemm) == 0) return;
    void* library = dlopen(gemm.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) library = dlopen(nullptr, RTLD_LAZY);  // BLAS is part of the program itself
    set = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
    get = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
  }
  [[nodiscard]] bool available() const { return set != nullptr && get != nullptr; }
};

const BlasControl& blas_control() {
  static const BlasControl control;
  return control;
}

constexpr int most_threads = 1024;  // more than a machine has, fewer than a process may have

std::mutex guard_mutex;
int guard_count = 0;
int host_threads = 0;

}  // namespace

int resolve_threads(int requested) {
  if (in_forked_child) return 1;
  return requested > 0 ? std::min(requested, most_threads) : std::max(1, omp_get_max_threads());
}

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
  if (blas_control().available()) blas_control().set(threads);
}

int blas_threads() { return blas_control().available() ? blas_control().get() : 0; }

}  // namespace dualkpca
