#pragma once

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Orthonormal directions that span given rows, completed to a basis of the whole space.
struct OrthonormalBasis {
  Matrix Qt{};     ///< d x d, orthogonal; its first `rank` rows span the given rows
  Index rank = 0;  ///< 0 if no direction was found
};

/// Finds the directions for the rows of X. In every column, the squares of the parts outside the directions add up to
/// about `left_out` at most, or to the rounding error of float64 if that is larger.
[[nodiscard]] OrthonormalBasis orthonormal_basis(const Matrix& X, double left_out);

}  // namespace dualkpca
