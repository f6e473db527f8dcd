#include "solver/center_landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dualkpca/core/errors.hpp"
#include "solver/landmark_factor.hpp"

namespace dualkpca {
namespace {

constexpr double negligible_trace = 1e-6;  // share of tr K

void grow_to(LandmarkFactor& factor, Index count) {
  // Every block reads all rows, so blocks should be large; but fewer proposals are rejected in small ones.
  const Index block = std::max<Index>(16, count / 4);
  while (factor.size() < count && factor.is_positive() && factor.residual_trace() > negligible_trace * factor.trace())
    if (!factor.grow(std::min(block, count - factor.size()))) break;
  if (!factor.is_positive())
    throw DataError(
        "the kernel matrix is not positive semi-definite, so a sparse model has no centre; choose another kernel");
}

// Returns the number of first pivots that leave no more than a negligible trace. The last block may contain many more.
Index pivots_needed(const LandmarkFactor& factor) {
  const Vector explained = factor.column_norms();
  double left = factor.trace();
  Index count = 0;
  while (count < explained.size() && left > negligible_trace * factor.trace()) left -= explained[count++];
  return count;
}

}  // namespace

ReducedCenter choose_center(const GramOperator& K, Index count, std::uint64_t seed) {
  if (count < 0) throw InvalidArgument(fmt::format("a centre of {} rows is asked for; it must be 0 or more", count));
  LandmarkFactor factor(K, seed, 0);
  grow_to(factor, std::min(count, K.size()));
  const Index kept = pivots_needed(factor);
  // The first columns of a Cholesky factor are the factor of the first pivots. With the rest of the mean set to zero,
  // the triangular solve gives the projection onto these pivots.
  Vector mean = factor.mean();
  mean.tail(mean.size() - kept).setZero();
  const Matrix weights = factor.coefficients(mean);
  return {.landmarks = {factor.pivots().begin(), factor.pivots().begin() + kept}, .weights = weights.col(0).head(kept)};
}

}  // namespace dualkpca
