#include "data/io/memory_check.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca {

void require_memory(const std::string& path, const std::string& what, double bytes, std::size_t budget) {
  const bool exceeds_budget = budget > 0 && bytes > static_cast<double>(budget);
  const std::size_t available = exceeds_budget ? 0 : available_memory();
  if (!exceeds_budget && bytes <= static_cast<double>(available)) return;
  constexpr double countable = 9e18;
  const std::string needed =
      bytes < countable ? format_bytes(static_cast<std::size_t>(bytes)) : fmt::format("{:.1e} bytes", bytes);
  const std::string limit = exceeds_budget
                                ? fmt::format("{} may be used: raise memory, or give fewer rows", format_bytes(budget))
                                : fmt::format("{} are available", format_bytes(available));
  throw ResourceError(fmt::format("{}: {} need {} of memory and {}", path, what, needed, limit));
}

void require_memory(const std::string& path, Index rows, Index cols, std::size_t bytes_per_number, std::size_t budget) {
  require_memory(path, fmt::format("{} x {} numbers", rows, cols),
                 static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(bytes_per_number), budget);
}

}  // namespace dualkpca
