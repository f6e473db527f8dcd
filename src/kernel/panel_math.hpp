#pragma once

#include <cstdint>

#include "dualkpca/core/types.hpp"

/// Inner loops over the entries of sparse rows, compiled for every vector width and chosen at run time.
namespace dualkpca::vector_math {

/// Returns the number of rows of a panel of sparse rows (see SparsePanel): as many as four vectors have lanes.
Index panel_width(float);
Index panel_width(double);

/// Computes out[r] for r < panel_width: the sum over the entries e of p v, where v is values[e] and p is
/// panel[slots[columns[e]] * width + r].
void panel_products(const float* panel, const std::int32_t* slots, const std::int32_t* columns, const float* values,
                    Index entries, float* out);
void panel_products(const double* panel, const std::int32_t* slots, const std::int32_t* columns, const double* values,
                    Index entries, double* out);
/// Computes the same with |p - v| - |p| - |v| in place of p v.
void panel_overlaps(const float* panel, const std::int32_t* slots, const std::int32_t* columns, const float* values,
                    Index entries, float* out);
void panel_overlaps(const double* panel, const std::int32_t* slots, const std::int32_t* columns, const double* values,
                    Index entries, double* out);

}  // namespace dualkpca::vector_math
