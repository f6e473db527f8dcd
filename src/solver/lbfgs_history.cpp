#include "solver/lbfgs_history.hpp"

#include <cmath>

namespace dualkpca {

void LbfgsHistory::rotate(const Matrix& R) {
  for (Pair& pair : pairs_) {
    pair.step = times(pair.step, R);
    pair.change = times(pair.change, R);
    // The curvature is computed anew, because columns that R drops no longer contribute to it.
    pair.rho = 1 / dot(pair.step, pair.change);
  }
  std::erase_if(pairs_, [](const Pair& pair) { return !(pair.rho > 0 && std::isfinite(pair.rho)); });
}

}  // namespace dualkpca
