#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

// OpenBLAS starts its threads before main(), and each of them asks for a buffer until it gets one. Where a limit of
// memory (ulimit -v, ulimit -d) leaves no room for the buffers, these threads never come to rest, and the end of the
// process waits for them for ever. So a process with such a limit begins again with a single thread of OpenBLAS; how
// many threads compute is decided later, by compute_threads().

namespace {

constexpr char name[] = "OPENBLAS_NUM_THREADS=";
constexpr char one_thread[] = "OPENBLAS_NUM_THREADS=1";

bool is_limited(__rlimit_resource resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// The C library is not ready yet: system calls and functions on strings are all that may be used.
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
  execve("/proc/self/exe", argv, changed);         // comes back only if that cannot be done
}

// The one place whose functions run before the constructors of shared libraries.
[[maybe_unused, gnu::used,
  gnu::section(".preinit_array")]] void (*const before_libraries)(int, char**, char**) = restart_if_memory_is_limited;

}  // namespace
