#pragma once

#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// Fills H, GH (padded with zero columns to s), eta and the objectives from the final H (n x r, r <= s) and its
/// product.
void fill_result(SolveResult& result, const Matrix& H, const Matrix& GH, Index s, const RankRule& rule);

/// Returns the Ritz point of the range of H, given the product GH. If its values differ by many orders of magnitude, a
/// product is made anew: in products with columns that mix them, small components are lost in the rounding of large
/// ones.
[[nodiscard]] RitzPoint final_point(const GramOperator& gram, const Matrix& H, const Matrix& GH, const RankRule& rule);

/// Returns eta = 100 |H - Y|_F^2 / |H|_F^2. It is of the order of the relative error of d(H) if the relative gap
/// between the last eigenvalue wanted and the next is one percent.
[[nodiscard]] double estimate_eta(const Matrix& H, const Matrix& Y);

/// Returns the share of the positive eigenvalues `values` (descending) that lies beyond the first `rank` of them, as
/// far as they exceed the rounding errors of G. A solution without them misses that share.
[[nodiscard]] double share_left_out(const Vector& values, Index rank, const RankRule& rule);

/// Returns the message of a solver whose eta is not certified to be within the tolerance.
[[nodiscard]] std::string not_certified_message(const SolveResult& result, Precision precision);

}  // namespace dualkpca
