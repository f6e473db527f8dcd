#include "core/blas_library.hpp"

#include <dlfcn.h>

#include "core/blas.hpp"

namespace dualkpca {

// The one that gemm itself comes from, because a Python module's libraries are not among those that every module sees.
void* blas_library() {
  static void* const library = [] {
    Dl_info gemm{};
    void* found = nullptr;
    if (dladdr(reinterpret_cast<const void*>(&dgemm_), &gemm) != 0)
      found = dlopen(gemm.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return found != nullptr ? found : dlopen(nullptr, RTLD_LAZY);  // else BLAS is part of the program itself
  }();
  return library;
}

}  // namespace dualkpca
