#pragma once

namespace dualkpca {

/// Returns how many of `threads` threads may call BLAS at once. OpenBLAS needs a buffer of 128 MiB for every call under
/// way. If a memory limit of the process (ulimit -v, ulimit -d) leaves no room for it, OpenBLAS retries for ever. This
/// function therefore allocates the buffers beforehand: the first if it fits, and each further one if another 128 MiB
/// stay free for the data. OpenBLAS keeps them for later calls. Without a limit, or with another BLAS, the result is
/// `threads`. Throws ResourceError if not one buffer fits.
[[nodiscard]] int reserve_blas_memory(int threads);

}  // namespace dualkpca
