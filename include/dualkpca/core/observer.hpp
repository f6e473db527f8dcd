#pragma once

#include <functional>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// State of a long computation, for its observer. The library itself never prints.
struct Progress {
  /// read: a data file; gram: the kernel values of all pairs of training rows (the Gram matrix); solve: the iterations
  /// of the solver; inverse: learning the inverse transform.
  enum class Stage { read, gram, solve, inverse };
  Stage stage = Stage::gram;
  double fraction = 0;  ///< share of the stage that is done, 0..1 (read, gram)
  Index iteration = 0;  ///< iterations so far (solve)
  double eta = 0;       ///< estimated error of the solution after that iteration, NaN if not known (solve)
  double tol = 0;       ///< eta at which the solver stops (solve)
};

/// Callback of a long computation; it returns false to stop it. It is called from the thread that started the
/// computation: repeatedly while data are read and the Gram matrix is evaluated, and between the steps of the solver.
using Observer = std::function<bool(const Progress&)>;

}  // namespace dualkpca
