#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Where G lives.
/// matrix_free: nothing is stored, only single columns are evaluated (landmarks).
enum class GramMode { automatic, stored, matrix_free };

[[nodiscard]] std::string_view to_string(GramMode mode);
[[nodiscard]] GramMode parse_gram_mode(std::string_view name);

/// What a fit will hold in memory at its peak, decided before anything large is allocated.
struct MemoryPlan {
  GramMode gram = GramMode::stored;
  Precision precision = Precision::float32;
  std::size_t gram_bytes = 0;    ///< G
  std::size_t data_bytes = 0;    ///< the rows in working precision, and as they were read where a budget counts them
  std::size_t solver_bytes = 0;  ///< vectors of the solver and of a product
  std::size_t budget = 0;        ///< what may be used
  [[nodiscard]] std::size_t total() const { return gram_bytes + data_bytes + solver_bytes; }
};

/// Throws ResourceError saying what is needed, what may be used and what would help, if the plan exceeds its budget.
void require_fits(const MemoryPlan& plan, Index n);

}  // namespace dualkpca
