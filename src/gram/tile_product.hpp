#pragma once

#include "dualkpca/kernel/kernel.hpp"

/// The product of one stored tile with narrow blocks of vectors. BLAS would copy the tile twice and then use each
/// number only a few times. The code is compiled for every vector width, and the best version is chosen at run time.
namespace dualkpca::tile_product {

/// Returns the number of columns to allocate for operands and results of w columns. The extra columns of operands must
/// be zero.
Index padded_width(Index w, float);
Index padded_width(Index w, double);

/// Computes product = tile right, which is tile.rows x w. Unless left is null, it also computes transposed_product =
/// tile' left, which is tile.cols x w: the contribution of the tile's mirror image above the diagonal. All are
/// row-major with `width` columns, the padded w.
void multiply(const TileRef<float>& tile, Index w, Index width, const float* right, const float* left, float* product,
              float* transposed_product);
void multiply(const TileRef<double>& tile, Index w, Index width, const double* right, const double* left,
              double* product, double* transposed_product);

/// Adds values[k] to sums[k].
void add(const float* values, Index count, double* sums);
void add(const double* values, Index count, double* sums);

}  // namespace dualkpca::tile_product
