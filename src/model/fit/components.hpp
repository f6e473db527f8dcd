#pragma once

#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// The solution turned into ordered components.
struct OrderedComponents {
  Matrix H{};            ///< n x s, turned like the scores
  Matrix rotation{};     ///< s x s, S^{-1/2} R: A = H rotation are the coefficients of the directions
  Matrix scores{};       ///< n x s, G A
  Vector eigenvalues{};  ///< of Y'Y, descending; exactly 0 where they are rounding, and then so are the scores
  Vector weights{};      ///< n row weights |z_i| / |y_i|; if y_i = 0, 1 of huber and else 0; empty for the square loss
};

/// Y = G H (H'GH)^{-1/2} rotated by the eigenvectors of Y'Y; in every column the score of largest magnitude (the first
/// of equals) is positive. Equals the classical projections U sqrt(Lambda) at an optimum (Proposition 3.8).
/// With a loss whose norm is entries, d would change if H were turned: its columns are then only ordered by size, and
/// the largest entry of each made positive. `weights`: of the rows, for losses other than square.
[[nodiscard]] OrderedComponents order_components(const SolveResult& solution, const RankRule& rule);

/// Turns columns so that the score of largest magnitude is positive, with the coefficients and offsets that give them.
void fix_signs(Matrix& scores, Matrix& coefficients, Vector& offset);

/// Solves for the fewest components that explain `fraction` of tr G.
[[nodiscard]] SolveResult solve_fraction(const GramOperator& gram, double fraction, const SolverParams& params,
                                         const GramFacts& facts, const Observer& observe);

}  // namespace dualkpca
