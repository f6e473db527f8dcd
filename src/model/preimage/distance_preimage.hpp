#pragma once

#include "dualkpca/kernel/kernel.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {

/// Rows (p x d, as the kernel sees them) of the points with scores T (p x s) from their distances to stored rows (Kwok
/// and Tsang 2004): a distance in feature space gives k and so the distance of the rows, and finding the point with
/// given distances to ten neighbours is a linear problem. For rbf and laplace.
[[nodiscard]] Matrix distance_preimage(const StoredRows& rows, KernelName kernel, double gamma, ConstMatrixRef T,
                                       int threads);

}  // namespace dualkpca
