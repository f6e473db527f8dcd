#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Directions in which rows have something, and the others.
struct OrthonormalBasis {
  Matrix Qt{};     ///< d x d, orthogonal; its first `rank` rows are the directions
  Index rank = 0;  ///< 0 if none was found
};

/// Of the rows of X: what these have in any column outside of the directions adds up to squares of `left_out` or so,
/// or to what rounding in float64 makes of it.
[[nodiscard]] OrthonormalBasis orthonormal_basis(const Matrix& X, double left_out);

}  // namespace dualkpca
