#pragma once

#include <vector>

#include "baselines/comparison.hpp"

namespace dualkpca::baselines {

/// Eigenvectors of G to start from.
struct TopDirections {
  Matrix A{};          ///< n x s, orthonormal columns; beyond the rank of G any that are orthogonal to the others
  double largest = 0;  ///< eigenvalue of G
};
[[nodiscard]] TopDirections top_directions(const GramOperator& gram, Index s);

struct ElasticNetRun {
  Matrix B{}, GB{};                 ///< n x s, not normalised
  std::vector<double> objective{};  ///< after every outer iteration
  Index iterations = 0;
  bool converged = false;
};

/// Alternates over B and A from the given A and B = A (docs/math.md, "Methods to compare with"). `largest`: at least
/// the largest eigenvalue of G.
[[nodiscard]] ElasticNetRun elastic_net(const GramOperator& gram, Matrix A, double largest,
                                        const SparseKpcaParams& params);

}  // namespace dualkpca::baselines
