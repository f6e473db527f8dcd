#pragma once

#include <cstdint>
#include <vector>

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

/// A centre mu = sum of weights_l phi(x_l) over a few rows.
struct ReducedCenter {
  std::vector<Index> landmarks{};
  Vector weights{};
};

/// Projects the mean feature onto the features of at most `count` rows, the pivots of a randomly pivoted Cholesky
/// factorisation of K (uncentred). Takes fewer rows once they leave a millionth of the trace: more would hardly move
/// the centre, and nearly dependent rows can get large weights of both signs, which cancel. Throws DataError if K turns
/// out to be indefinite.
[[nodiscard]] ReducedCenter choose_center(const GramOperator& K, Index count, std::uint64_t seed);

}  // namespace dualkpca
