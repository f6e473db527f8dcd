#pragma once

#include <string>
#include <vector>

#include "dualkpca/objective/loss.hpp"

namespace dualkpca {

/// A starting point within the span of the square-loss solution. With norm `entries` the objective depends on the
/// rotation of the columns and has a local minimum near many rotations. With an epsilon that makes most rows zero,
/// there are minima in directions other than those of the largest variance.
struct RotatedStart {
  std::string name{};
  Matrix H{};        ///< H R, n x s
  double merit = 0;  ///< -F(H R), the primal cost of its directions, as H holds the scores of the square loss
};

/// Returns the best `count` of about a hundred starts H R, lowest merit first, no two with the same merit. H (n x w)
/// holds the scores of w square-loss components. R is w x s with orthonormal columns or, if the rank of G makes w < s,
/// with orthonormal rows, so that all s columns are still in use. Candidates are random R, varimax and the identity.
/// The best are improved by R <- polar(H' prox(H R)), the DC algorithm within the span of H, which never lowers the
/// convex F(H R). Costs no product with G: candidates are compared on a sample of the rows.
[[nodiscard]] std::vector<RotatedStart> rotated_starts(const Matrix& H, Index s, const Loss& loss, Index count,
                                                       std::uint64_t seed, int threads);

}  // namespace dualkpca
