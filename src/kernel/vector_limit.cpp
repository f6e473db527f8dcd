#include "kernel/vector_limit.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/vector_limit.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dualkpca::vector_math::HWY_NAMESPACE {

// Returns the instruction set of the copy that runs, so that a test can see that the choice reached the code.
std::int64_t running_target() { return HWY_TARGET; }

}  // namespace dualkpca::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dualkpca::vector_math {
namespace {

HWY_EXPORT(running_target);

// Better targets have lower bits. AVX3_DL is AVX-512 with more instructions, of which none is used here.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> targets = {{{"avx512", HWY_AVX3_DL},
                                                                               {"avx512", HWY_AVX3},
                                                                               {"avx2", HWY_AVX2},
                                                                               {"sse4", HWY_SSE4},
                                                                               {"ssse3", HWY_SSSE3},
                                                                               {"scalar", HWY_EMU128}}};

}  // namespace

bool limit_vectors() {
  const char* wanted = std::getenv("DUALKPCA_VECTORS");
  if (wanted == nullptr) return false;
  for (const auto& [name, bit] : targets)
    if (name == wanted) {
      hwy::DisableTargets(bit - 1);
      return true;
    }
  return false;
}

std::string_view vector_target() {
  const std::int64_t running = HWY_DYNAMIC_DISPATCH(running_target)();
  for (const auto& [name, bit] : targets)
    if (bit == running) return name;
  return "scalar";
}

}  // namespace dualkpca::vector_math
#endif
