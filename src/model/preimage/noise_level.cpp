#include "model/preimage/noise_level.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/median.hpp"
#include "core/squared_distances.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca {
namespace {

constexpr Index rows_looked_at = 400;
constexpr int bisections = 20;

}  // namespace

double noise_level(const Matrix& X, const Matrix& Z, std::uint64_t seed) {
  if (X.rows() < 2 || Z.rows() == 0) return 0;
  const Matrix new_rows = Z(random_subset(Z.rows(), rows_looked_at, seed), Eigen::all);
  const double target = median(squared_distances(new_rows, X).rowwise().minCoeff());
  const std::vector<Index> sample = random_subset(X.rows(), rows_looked_at, seed + 1);
  const Matrix own = X(sample, Eigen::all), noise = random_normal(own.rows(), X.cols(), seed + 2);
  // |x_i + s e_i - x_j|^2 = |x_i - x_j|^2 + 2 s e_i'(x_i - x_j) + s^2 |e_i|^2
  Matrix squares = squared_distances(own, X), slopes = -times(noise, X.transpose());
  slopes.colwise() += Vector(noise.cwiseProduct(own).rowwise().sum());
  const Vector sizes = noise.rowwise().squaredNorm();
  for (std::size_t i = 0; i < sample.size(); ++i)
    squares(static_cast<Index>(i), sample[i]) = std::numeric_limits<double>::infinity();
  const auto nearest = [&](double level) {
    const Vector smallest = (squares + 2 * level * slopes).rowwise().minCoeff();
    return median(smallest + level * level * sizes);
  };
  if (!(nearest(0) < target)) return 0;
  // Noise far beyond the spread of the rows would hide their structure; rows that distant are not training rows with
  // noise.
  const double spread = std::sqrt((X.rowwise() - X.colwise().mean()).squaredNorm() / static_cast<double>(X.size()));
  double low = 0, high = std::min(3 * spread, 1.5 * std::sqrt(target / static_cast<double>(X.cols())));
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (low + high);
    (nearest(middle) < target ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace dualkpca
