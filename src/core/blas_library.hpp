#pragma once

namespace dualkpca {

/// The shared library that BLAS comes from, for dlsym(). BLAS is whatever the system's alternatives say, and some of
/// what we ask it for exists in OpenBLAS only.
[[nodiscard]] void* blas_library();

}  // namespace dualkpca
