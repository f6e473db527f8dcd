#pragma once

namespace dualkpca {

/// Returns the number of threads to use. A request of 0 gives as many as OpenMP would use: the processors that this
/// process may run on, unless OMP_NUM_THREADS or the program sets another number. Any other request is granted, up to
/// 1024. In a forked child the result is always 1, because threads do not survive a fork and waiting for them hangs.
[[nodiscard]] int resolve_threads(int requested);

/// Returns the same for threads that call BLAS: fewer if the process has a memory limit (ulimit) that leaves no room
/// for the buffers of more. Throws ResourceError if there is no room for one.
[[nodiscard]] int compute_threads(int requested);

/// Guard that holds BLAS at one thread while it lives, because the library runs one BLAS call per thread. OpenBLAS has
/// only a process-wide setter, so the guards of concurrent fits share one count: the first saves the host's setting,
/// and the last restores it. The guard does nothing with a BLAS that has no such setter.
class BlasThreadGuard {
 public:
  BlasThreadGuard();
  ~BlasThreadGuard();
  BlasThreadGuard(const BlasThreadGuard&) = delete;
  BlasThreadGuard& operator=(const BlasThreadGuard&) = delete;
};

/// Sets the number of BLAS's own threads for the whole process; for programs, not for libraries. It becomes 1 if the
/// process has a memory limit.
void set_blas_threads(int threads);

/// Returns the number of BLAS's own threads, or 0 if BLAS does not offer it.
[[nodiscard]] int blas_threads();

}  // namespace dualkpca
