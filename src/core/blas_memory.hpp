#pragma once

namespace dualkpca {

/// How many of so many threads may call BLAS at once. OpenBLAS needs a buffer of 128 MiB for every call under way, and
/// where the process has a limit of memory (ulimit -v, ulimit -d) that leaves no room it asks again for ever. Here the
/// buffers are taken beforehand, as many as fit beside as much for the data; OpenBLAS keeps them for later calls.
/// Without a limit, and with another BLAS, the answer is `threads`. Throws ResourceError if there is room for none.
[[nodiscard]] int reserve_blas_memory(int threads);

}  // namespace dualkpca
