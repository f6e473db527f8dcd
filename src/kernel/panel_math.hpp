#pragma once

#include <cstdint>

#include "dualkpca/core/types.hpp"

/// The inner loops over the entries of sparse rows, compiled for every vector width and chosen at run time.
namespace dualkpca::vector_math {

/// Rows that a panel of sparse rows holds (see SparsePanel): as many as four vectors have lanes.
Index panel_width(float);
Index panel_width(double);

/// out[r] = sum over entries e of p v with p = panel[slots[columns[e]] * width + r], v = values[e]; r < panel_width.
void panel_products(const float* panel, const std::int32_t* slots, const std::int32_t* columns, const float* values,
                    Index entries, float* out);
void panel_products(const double* panel, const std::int32_t* slots, const std::int32_t* columns, const double* values,
                    Index entries, double* out);
/// The same with |p - v| - |p| - |v| in place of the product.
void panel_overlaps(const float* panel, const std::int32_t* slots, const std::int32_t* columns, const float* values,
                    Index entries, float* out);
void panel_overlaps(const double* panel, const std::int32_t* slots, const std::int32_t* columns, const double* values,
                    Index entries, double* out);

}  // namespace dualkpca::vector_math
