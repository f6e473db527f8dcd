#include "data/memory_check.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca {

void require_memory(const std::string& path, const std::string& what, double bytes) {
  const std::size_t available = available_memory();
  if (bytes <= static_cast<double>(available)) return;
  constexpr double countable = 9e18;
  const std::string needed =
      bytes < countable ? format_bytes(static_cast<std::size_t>(bytes)) : fmt::format("{:.1e} bytes", bytes);
  throw ResourceError(
      fmt::format("{}: {} need {} of memory and {} are available", path, what, needed, format_bytes(available)));
}

void require_memory(const std::string& path, Index rows, Index cols, std::size_t bytes_per_number) {
  require_memory(path, fmt::format("{} x {} numbers", rows, cols),
                 static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(bytes_per_number));
}

}  // namespace dualkpca
