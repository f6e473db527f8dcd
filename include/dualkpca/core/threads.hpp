#pragma once

namespace dualkpca {

/// Threads to use for a request: as many as OpenMP would for 0 (the processors this process may run on, unless
/// OMP_NUM_THREADS or the program says less), the request otherwise; always 1 in a forked child, because
/// threads do not survive a fork and waiting for them hangs.
[[nodiscard]] int resolve_threads(int requested);

/// The same for threads that call BLAS. Fewer where the process has a limit of memory (ulimit) that leaves no room for
/// the buffers of more. Throws ResourceError if it leaves no room for one.
[[nodiscard]] int compute_threads(int requested);

/// Holds BLAS at one thread while it lives, since the library runs one BLAS call per thread. OpenBLAS has only
/// a process-wide setter, so the guards of concurrent fits share one count: the first saves the host's setting, the
/// last restores it. Does nothing with a BLAS that has no such setter.
class BlasThreadGuard {
 public:
  BlasThreadGuard();
  ~BlasThreadGuard();
  BlasThreadGuard(const BlasThreadGuard&) = delete;
  BlasThreadGuard& operator=(const BlasThreadGuard&) = delete;
};

/// Sets BLAS's own thread count for the whole process; for programs, not for libraries. It is one where the process has
/// a limit of memory.
void set_blas_threads(int threads);

/// BLAS's own thread count, or 0 if it cannot be asked.
[[nodiscard]] int blas_threads();

}  // namespace dualkpca
