#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dualkpca {

/// Bytes a new process could use now without swapping: the kernel's MemAvailable, capped by the cgroup's limit.
[[nodiscard]] std::size_t available_memory();

/// Largest resident set of this process so far, in bytes.
[[nodiscard]] std::size_t peak_memory();

/// "8G", "512M", "1.5GiB", "100000" -> bytes (powers of 1024). Throws InvalidArgument naming the text.
[[nodiscard]] std::size_t parse_bytes(std::string_view text);

/// 1610612736 -> "1.50 GiB".
[[nodiscard]] std::string format_bytes(std::size_t bytes);

}  // namespace dualkpca
