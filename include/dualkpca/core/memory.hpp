#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dualkpca {

/// Returns the bytes that this process can still use without swapping: MemAvailable of Linux, capped by the limits of
/// the cgroup and of the process itself (ulimit -v, ulimit -d).
[[nodiscard]] std::size_t available_memory();

/// Returns whether the process has a memory limit of its own, as ulimit -v and ulimit -d set it.
[[nodiscard]] bool has_memory_limit();

/// Returns the largest resident set of this process so far, in bytes.
[[nodiscard]] std::size_t peak_memory();

/// Converts "8G", "512M", "1.5GiB" or "100000" to bytes (powers of 1024). Throws InvalidArgument naming the text.
[[nodiscard]] std::size_t parse_bytes(std::string_view text);

/// Formats a number of bytes for a person: 1610612736 as "1.50 GiB".
[[nodiscard]] std::string format_bytes(std::size_t bytes);

}  // namespace dualkpca
