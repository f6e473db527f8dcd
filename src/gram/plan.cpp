#include "dualkpca/gram/plan.hpp"

#include "core/names.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<GramMode, 3> mode_names = {
    {{GramMode::automatic, "auto"}, {GramMode::stored, "stored"}, {GramMode::matrix_free, "matrix_free"}}};

}  // namespace

std::string_view to_string(GramMode mode) { return name_of(mode_names, mode); }
GramMode parse_gram_mode(std::string_view name) { return parse_name(mode_names, "gram", name); }

void require_fits(const MemoryPlan& plan, Index n) {
  if (plan.total() <= plan.budget) return;
  const std::string gram = plan.gram_bytes == 0 ? "without a Gram matrix"
                                                : fmt::format("{} for the Gram matrix in {}",
                                                              format_bytes(plan.gram_bytes), to_string(plan.precision));
  throw ResourceError(
      fmt::format("{} rows need {} of memory ({}), and {} may be used: raise memory{}, or fit fewer rows", n,
                  format_bytes(plan.total()), gram, format_bytes(plan.budget),
                  plan.precision == Precision::float64 && plan.gram_bytes > 0 ? ", use precision float32" : ""));
}

}  // namespace dualkpca
