#include "model/preimage/ridge_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/median.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "model/rows/all_rows.hpp"
#include "model/rows/kernel_matrix.hpp"

namespace dualkpca {
namespace {

constexpr Index rows_compared = 2000;  // rows that every row is compared with

// Rows with few neighbours get less weight: their features are nearly orthogonal to all others, so all outlying rows
// have nearly the same scores, which do not say where a row lies.
Vector density_weights(const FittedModel& model, const StoredRows& rows, std::uint64_t seed, int threads) {
  const Index n = rows.X.rows();
  const std::vector<Index> sample = random_subset(n, rows_compared, seed);
  const Matrix some = rows.X(sample, Eigen::all);
  Vector near = Vector::Zero(n);
  constexpr Index block = 4096;  // rows at a time, so memory does not grow with n^2
  for (Index first = 0; first < n; first += block) {
    const Index count = std::min(block, n - first);
    near.segment(first, count) =
        kernel_matrix(model.kernel, rows.X.middleRows(first, count), some, threads).rowwise().sum();
  }
  near(sample).array() -= 1;  // itself
  near = near.cwiseMax(0);
  const double typical = 0.1 * median(near);
  if (!(typical > 0)) return Vector::Ones(n);
  return (near / typical).cwiseAbs2().cwiseMin(1);
}

// One weight for each of the rows that the pre-images are learnt from: those that the model holds, or all training
// rows.
Vector dual_weights(const FittedModel& model, Index rows) {
  if (model.weights.size() == rows) return model.weights;
  if (model.n_samples == rows) return all_row_weights(model);
  throw InvalidArgument(fmt::format("preimage_weights dual needs the {} training rows of the fit; {} rows are given",
                                    model.n_samples, rows));
}

}  // namespace

PreimageWeights resolve_weights(PreimageWeights wanted, const FittedModel& model) {
  if (wanted != PreimageWeights::automatic) return wanted;
  if (model.loss.name != LossName::huber) return PreimageWeights::none;
  return is_shift_invariant(model.kernel.name) ? PreimageWeights::density : PreimageWeights::huber;
}

bool reweighs(PreimageWeights kind) { return kind == PreimageWeights::huber || kind == PreimageWeights::huber_spe; }

Vector prior_weights(PreimageWeights kind, const FittedModel& model, const StoredRows& rows, std::uint64_t seed,
                     int threads) {
  Vector ones = Vector::Ones(rows.X.rows());
  switch (kind) {
    case PreimageWeights::density: return density_weights(model, rows, seed, threads);
    case PreimageWeights::huber_spe: {
      const double typical = 1.5 * median(rows.spe);
      if (!(typical > 0)) return ones;
      return (typical / rows.spe.array().max(typical)).pow(4);
    }
    case PreimageWeights::dual: return dual_weights(model, rows.X.rows());
    default: return ones;
  }
}

}  // namespace dualkpca
