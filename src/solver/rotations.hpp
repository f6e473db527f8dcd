#pragma once

#include <string>
#include <vector>

#include "dualkpca/objective/loss.hpp"

namespace dualkpca {

/// A starting point within the span of the square-loss solution. Norm `entries` can tell rotations of the columns
/// apart, and has a local minimum near many of them; an epsilon that makes most rows zero has minima in other
/// directions than those of the largest variance.
struct RotatedStart {
  std::string name{};
  Matrix H{};        ///< H R, n x s
  double merit = 0;  ///< -F(H R), the primal cost of its directions, as H holds the scores of the square loss
};

/// The best `count` of some hundred starts H R, lowest merit first, no two with the same merit. H (n x w) holds the
/// scores of w square-loss components; R is w x s with orthonormal columns, or with orthonormal rows where the rank of
/// G leaves fewer than s of them, so that all s columns are in use all the same. Looked at are random R, varimax and
/// none at all; the best are improved by R <- polar(H' prox(H R)), the DC algorithm within the span of H, which raises
/// the convex F(H R) every time. Costs no product with G: candidates are compared on a sample of the rows.
[[nodiscard]] std::vector<RotatedStart> rotated_starts(const Matrix& H, Index s, const Loss& loss, Index count,
                                                       std::uint64_t seed, int threads);

}  // namespace dualkpca
