#pragma once

#include "dualkpca/kernel/kernel.hpp"

/// The product of one stored tile with narrow blocks of vectors, of which BLAS would copy the tile twice and then use
/// each number a few times only. Compiled for every vector width and chosen at run time.
namespace dualkpca::tile_product {

/// Columns that operands and results of w columns have to have room for: a few more, of which operands have to be zero.
Index padded_width(Index w, float);
Index padded_width(Index w, double);

/// product = tile right (tile.rows x w) and, unless left is null, transposed_product = tile' left (tile.cols x w): what
/// a tile below the diagonal adds to a product above and left of it. All row-major with `width`, the padded w, columns.
void multiply(const TileRef<float>& tile, Index w, Index width, const float* right, const float* left, float* product,
              float* transposed_product);
void multiply(const TileRef<double>& tile, Index w, Index width, const double* right, const double* left,
              double* product, double* transposed_product);

/// sums[k] += values[k]
void add(const float* values, Index count, double* sums);
void add(const double* values, Index count, double* sums);

}  // namespace dualkpca::tile_product
