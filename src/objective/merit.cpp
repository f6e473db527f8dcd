#include "objective/merit.hpp"

#include <limits>

#include "core/tall_matrix.hpp"

namespace dualkpca {

double Merit::residual() const {
  if (distance == 0) return 0;
  const double norm = Z.norm();
  return norm > 0 ? distance / norm : std::numeric_limits<double>::infinity();
}

Merit evaluate_merit(const Matrix& H, const Matrix& GH, const Loss& loss, const RankRule& rule, int threads) {
  const SpectralRoot root = spectral_root(inner(H, GH, threads), inner(H, H, threads), rule);
  Merit at;
  at.Y = times(GH, root.inverse_root(), threads);
  at.Z = loss.prox(at.Y);
  at.value = -loss.value(at.Y);
  at.distance = (H - at.Z).norm();
  at.dual = 0.5 * H.squaredNorm() + loss.conjugate(H) - root.trace_root();
  return at;
}

}  // namespace dualkpca
