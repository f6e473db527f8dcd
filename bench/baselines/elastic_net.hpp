#pragma once

#include <vector>

#include "baselines/comparison.hpp"

namespace dualkpca::baselines {

/// Eigenvectors of G for the start.
struct TopDirections {
  Matrix A{};          ///< n x s, orthonormal columns; those beyond the rank of G are arbitrary
  double largest = 0;  ///< largest eigenvalue of G
};
[[nodiscard]] TopDirections top_directions(const GramOperator& gram, Index s);

struct ElasticNetRun {
  Matrix B{}, GB{};                 ///< n x s, not normalised
  std::vector<double> objective{};  ///< objective after every outer iteration
  Index iterations = 0;
  bool converged = false;
};

/// Minimises over B and A in turn, from the given A and B = A (docs/math.md, "Methods to compare with"). `largest` is
/// at least the largest eigenvalue of G.
[[nodiscard]] ElasticNetRun elastic_net(const GramOperator& gram, Matrix A, double largest,
                                        const SparseKpcaParams& params);

}  // namespace dualkpca::baselines
