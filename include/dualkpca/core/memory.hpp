#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dualkpca {

/// Bytes that this process could still use without swapping: the kernel's MemAvailable, capped by the limits of the
/// cgroup and of the process itself (ulimit -v, ulimit -d).
[[nodiscard]] std::size_t available_memory();

/// Whether the process has a limit of its own, as ulimit -v and ulimit -d set them.
[[nodiscard]] bool has_memory_limit();

/// Largest resident set of this process so far, in bytes.
[[nodiscard]] std::size_t peak_memory();

/// "8G", "512M", "1.5GiB", "100000" -> bytes (powers of 1024). Throws InvalidArgument naming the text.
[[nodiscard]] std::size_t parse_bytes(std::string_view text);

/// 1610612736 -> "1.50 GiB".
[[nodiscard]] std::string format_bytes(std::size_t bytes);

}  // namespace dualkpca
