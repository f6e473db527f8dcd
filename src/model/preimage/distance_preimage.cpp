#include "model/preimage/distance_preimage.hpp"

#include <cmath>

#include "core/parallel.hpp"
#include "core/small_eigen.hpp"
#include "model/preimage/neighbors.hpp"

namespace dualkpca {
namespace {

constexpr Index distance_block = 64;
constexpr double smallest_kernel = 1e-12, smallest_eigenvalue = 1e-8;

// The point whose squared distances to the rows of N (q x d) are nearest to `squares`.
Vector place(const Matrix& N, const Vector& squares) {
  const Vector mean = N.colwise().mean();
  const Matrix centered = N.rowwise() - mean.transpose();
  const SmallEigen gram = small_eigen(centered * centered.transpose());
  const Vector difference = centered.rowwise().squaredNorm() - squares;
  Vector weights = Vector::Zero(N.rows());
  for (Index j = 0; j < N.rows(); ++j) {
    if (gram.values[j] <= smallest_eigenvalue * gram.values[0]) break;
    weights += gram.vectors.col(j) * (gram.vectors.col(j).dot(difference) / gram.values[j]);
  }
  return mean + 0.5 * centered.transpose() * weights;
}

}  // namespace

Matrix distance_preimage(const StoredRows& rows, KernelName kernel, double gamma, ConstMatrixRef T, int threads) {
  Matrix Z(T.rows(), rows.X.cols());
  parallel_blocks(T.rows(), distance_block, threads, [&](Index first, Index count, int) {
    const Matrix distances = feature_distances(rows, T.middleRows(first, count));
    for (Index i = 0; i < count; ++i) {
      const std::vector<Index> indices = smallest(distances.row(i), preimage_neighbors);
      Vector squares(static_cast<Index>(indices.size()));
      for (std::size_t l = 0; l < indices.size(); ++l) {
        // |phi(z) - phi(x)|^2 = 2 - 2 k
        const double k = std::clamp(1 - 0.5 * distances(i, indices[l]), smallest_kernel, 1.0);
        const double log = -std::log(k) / gamma;
        squares[static_cast<Index>(l)] = kernel == KernelName::rbf ? log : log * log;
      }
      Z.row(first + i) = place(rows.X(indices, Eigen::all), squares);
    }
  });
  return Z;
}

}  // namespace dualkpca
