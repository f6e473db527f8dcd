// The entry point for libFuzzer. DUALKPCA_FUZZ_TARGET is the function of targets.hpp that this fuzzer tests.
#include <cstddef>
#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dualkpca::fuzz::DUALKPCA_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
