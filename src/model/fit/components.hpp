#pragma once

#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

/// The solution turned into ordered components.
struct OrderedComponents {
  Matrix H{};            ///< n x s, rotated like the scores
  Matrix rotation{};     ///< s x s, S^{-1/2} R: A = H rotation are the coefficients of the directions
  Matrix scores{};       ///< n x s, G A
  Vector eigenvalues{};  ///< eigenvalues of Y'Y, descending; rounding errors are 0, and so are their scores
  Vector weights{};      ///< n row weights |z_i| / |y_i|; where y_i = 0, 1 for huber, else 0; empty for the square loss
};

/// Computes the scores Y = G H (H'GH)^{-1/2} and rotates them by the eigenvectors of Y'Y. In every column the score of
/// largest magnitude (the first of equals) is positive. At an optimum the scores equal the classical projections U
/// sqrt(Lambda) (Proposition 3.8). With norm entries a rotation of H would change d, so its columns are only ordered by
/// size, and the largest entry of each is made positive.
[[nodiscard]] OrderedComponents order_components(const SolveResult& solution, const RankRule& rule);

/// Flips the signs of columns so that the score of largest magnitude is positive; coefficients and offsets follow.
void fix_signs(Matrix& scores, Matrix& coefficients, Vector& offset);

}  // namespace dualkpca
