#pragma once

#include <string_view>

namespace dualkpca::vector_math {

/// Limits the instruction set, of which Highway otherwise chooses the widest of the processor. The environment variable
/// DUALKPCA_VECTORS (avx512, avx2, sse4, ssse3 or scalar) sets the widest one, so that tests can run the code of other
/// machines. Another value changes nothing. Returns whether there is a limit. Every file that includes this header
/// calls it before main().
bool limit_vectors();
inline const bool vectors_are_limited = limit_vectors();

/// Returns the name of the instruction set that runs, one of those above.
[[nodiscard]] std::string_view vector_target();

}  // namespace dualkpca::vector_math
