#include "dualkpca/core/random.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace dualkpca {

Matrix random_normal(Index rows, Index cols, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Matrix out(rows, cols);
  std::generate_n(out.data(), out.size(), [&] { return normal(engine); });
  return out;
}

std::vector<Index> random_subset(Index n, Index count, std::uint64_t seed) {
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> out;
  std::mt19937_64 engine(seed);
  std::sample(all.begin(), all.end(), std::back_inserter(out), count, engine);
  return out;
}

}  // namespace dualkpca
