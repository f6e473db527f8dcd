#pragma once

#include <string_view>

namespace dualkpca::vector_math {

/// Highway chooses the widest instruction set of the processor. The environment variable DUALKPCA_VECTORS (avx512,
/// avx2, sse4, ssse3 or scalar) makes it choose none wider than that, so that tests can run what other machines run.
/// Another value changes nothing. Called before main() by every file that includes this header.
bool limit_vectors();
inline const bool vectors_are_limited = limit_vectors();

/// The instruction set that runs, by the names above.
[[nodiscard]] std::string_view vector_target();

}  // namespace dualkpca::vector_math
