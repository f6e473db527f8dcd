#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Storage of the Gram matrix G, the kernel values of all pairs of the n training rows. stored: all of G is evaluated
/// and kept. matrix_free: nothing is kept; only single columns are evaluated, for landmarks (a few training rows that
/// stand in for all). automatic: stored, unless landmarks can replace G and either meet the tolerance or G does not fit
/// the memory budget.
enum class GramMode { automatic, stored, matrix_free };

[[nodiscard]] std::string_view to_string(GramMode mode);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] GramMode parse_gram_mode(std::string_view name);

/// Memory that a fit will hold at its peak, decided before anything large is allocated.
struct MemoryPlan {
  GramMode gram = GramMode::stored;
  Precision precision = Precision::float32;  ///< precision of the Gram matrix
  std::size_t gram_bytes = 0;                ///< bytes of the Gram matrix
  std::size_t data_bytes = 0;    ///< bytes of the rows in working precision; with a budget, also of the rows as given
  std::size_t solver_bytes = 0;  ///< bytes of the vectors of the solver and of a product
  std::size_t budget = 0;        ///< bytes that may be used
  [[nodiscard]] std::size_t total() const { return gram_bytes + data_bytes + solver_bytes; }
};

/// Throws ResourceError if the plan exceeds its budget; the message gives the bytes needed, the budget and a remedy.
/// `n`: rows, for the message.
void require_fits(const MemoryPlan& plan, Index n);

}  // namespace dualkpca
