#pragma once

#include <functional>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// What a long computation tells its observer. The library itself never prints.
struct Progress {
  enum class Stage { read, gram, solve, inverse };
  Stage stage = Stage::gram;
  double fraction = 0;  ///< share of the stage that is done, 0..1 (read, gram)
  Index iteration = 0;  ///< iterations so far (solve)
  double eta = 0;       ///< error estimate after that iteration (solve)
  double tol = 0;       ///< where eta has to get (solve)
};

/// Returns false to stop. Called from the thread that called fit(), at least once per row of tiles and per iteration.
using Observer = std::function<bool(const Progress&)>;

}  // namespace dualkpca
