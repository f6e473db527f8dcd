#pragma once

namespace dualkpca {

/// Returns the shared library that provides BLAS, for dlsym(). The system's alternatives decide which BLAS that is, and
/// some functions that we look up exist in OpenBLAS only.
[[nodiscard]] void* blas_library();

}  // namespace dualkpca
