#include "core/blas_library.hpp"

#include <dlfcn.h>

#include "core/blas.hpp"

namespace dualkpca {

// Finds the library that gemm itself comes from: the libraries of a Python module are not in the global symbol table.
void* blas_library() {
  static void* const library = [] {
    Dl_info gemm{};
    void* found = nullptr;
    if (dladdr(reinterpret_cast<const void*>(&dgemm_), &gemm) != 0)
      found = dlopen(gemm.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return found != nullptr ? found : dlopen(nullptr, RTLD_LAZY);  // otherwise BLAS is linked into the program
  }();
  return library;
}

}  // namespace dualkpca
