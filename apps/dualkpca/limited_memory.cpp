#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

// OpenBLAS starts its threads before main(), and each of them asks for a buffer until it gets one. If a limit of memory
// (ulimit -v, ulimit -d) leaves no room for the buffers, these threads ask for ever, and the process never ends,
// because its end waits for them. A process with such a limit therefore restarts itself with a single thread of
// OpenBLAS. compute_threads() decides later how many threads compute.

namespace {

constexpr char name[] = "OPENBLAS_NUM_THREADS=";
constexpr char one_thread[] = "OPENBLAS_NUM_THREADS=1";

bool is_limited(__rlimit_resource resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// The C library is not ready yet, so only system calls and functions on strings may be used.
void restart_if_memory_is_limited(int, char** argv, char** environment) {
  if (!is_limited(RLIMIT_AS) && !is_limited(RLIMIT_DATA)) return;
  constexpr int most = 10'000;
  static char* changed[most + 2];
  int count = 0;
  for (char** variable = environment; *variable != nullptr; ++variable) {
    if (std::strcmp(*variable, one_thread) == 0) return;
    if (std::strncmp(*variable, name, sizeof(name) - 1) == 0) continue;
    if (count == most) return;
    changed[count++] = *variable;
  }
  changed[count] = const_cast<char*>(one_thread);  // NOLINT: execve() only reads it
  execve("/proc/self/exe", argv, changed);         // returns only if it fails
}

// Functions in this section run before the constructors of shared libraries; no other place does that.
[[maybe_unused, gnu::used,
  gnu::section(".preinit_array")]] void (*const before_libraries)(int, char**, char**) = restart_if_memory_is_limited;

}  // namespace
