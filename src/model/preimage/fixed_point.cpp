#include "model/preimage/fixed_point.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "core/tall_matrix.hpp"
#include "model/preimage/neighbors.hpp"

namespace dualkpca {
namespace {

constexpr Index fixed_point_block = 64;
constexpr Index most_iterations = 200;
constexpr double step_tolerance = 1e-6;  // relative to the size of the rows, as in Mika et al.

// f, and the step to the right-hand side of the fixed-point equation, at some rows Z.
struct Evaluation {
  Vector value;
  Matrix step;
};

Evaluation evaluate(const Matrix& X, const Matrix& W, const KernelSlope& kernel, const Matrix& Z) {
  Matrix K, S;
  kernel.evaluate(kernel.arguments(Z, X), K, S);
  Evaluation out{W.cwiseProduct(K).rowwise().sum(), {}};
  S.array() *= W.array();
  const Vector sum = S.rowwise().sum(), size = S.cwiseAbs().rowwise().sum();
  // grad f = S X - sum z. Divided by the sum it is the step to the fixed point; where the sum is not positive, dividing
  // by the sum of magnitudes still makes it an ascent.
  out.step = times(S, X) - sum.asDiagonal() * Z;
  for (Index i = 0; i < Z.rows(); ++i) {
    const double scale = sum[i] > 1e-3 * size[i] ? sum[i] : size[i];
    out.step.row(i) *= scale > 0 ? 1 / scale : 0.0;
  }
  return out;
}

// Ascends from Z, which is replaced by the end point; returns f there.
Vector ascend(const Matrix& X, const Matrix& W, const KernelSlope& kernel, double size, Matrix& Z) {
  std::vector<Index> active(static_cast<std::size_t>(Z.rows()));
  std::iota(active.begin(), active.end(), Index{0});
  Evaluation at = evaluate(X, W, kernel, Z);
  Vector length = Vector::Ones(Z.rows());
  for (Index iteration = 0; iteration < most_iterations && !active.empty(); ++iteration) {
    const Matrix trial = Z(active, Eigen::all) + length(active).asDiagonal() * at.step(active, Eigen::all);
    const Evaluation next = evaluate(X, W(active, Eigen::all), kernel, trial);
    std::vector<Index> still;
    for (std::size_t a = 0; a < active.size(); ++a) {
      const Index i = active[a], r = static_cast<Index>(a);
      const double moved = (trial.row(r) - Z.row(i)).norm();
      if (next.value[r] >= at.value[i]) {
        Z.row(i) = trial.row(r);
        at.value[i] = next.value[r];
        at.step.row(i) = next.step.row(r);
        length[i] = 1;
      } else {
        length[i] *= 0.5;
      }
      if (moved > step_tolerance * size) still.push_back(i);
    }
    active = std::move(still);
  }
  return at.value;
}

}  // namespace

Matrix Expansion::weights(ConstMatrixRef T) const {
  Matrix W = times(T, coefficients.transpose());
  W.rowwise() += center.transpose();
  return W;
}

Matrix fixed_point(const StoredRows& rows, const Expansion& expansion, const KernelSlope& kernel, ConstMatrixRef T,
                   const std::optional<Matrix>& near, int threads) {
  const double size = std::sqrt(rows.X.rowwise().squaredNorm().mean());
  Matrix Z(T.rows(), rows.X.cols());
  parallel_blocks(T.rows(), fixed_point_block, threads, [&](Index first, Index count, int) {
    const Matrix block = T.middleRows(first, count);
    const Matrix W = expansion.weights(block), distances = feature_distances(rows, block);
    Matrix nearest(count, rows.X.cols()), mean(count, rows.X.cols());
    for (Index i = 0; i < count; ++i) {
      const std::vector<Index> indices = smallest(distances.row(i), preimage_neighbors);
      nearest.row(i) = rows.X.row(indices.front());
      mean.row(i) = rows.X(indices, Eigen::all).colwise().mean();
    }
    std::vector<Matrix> starts = {nearest, mean};
    if (near) starts.emplace_back(near->middleRows(first, count));
    Vector best = Vector::Constant(count, -std::numeric_limits<double>::infinity());
    for (Matrix& start : starts) {
      const Vector value = ascend(rows.X, W, kernel, size, start);
      for (Index i = 0; i < count; ++i) {
        if (!(value[i] > best[i])) continue;
        best[i] = value[i];
        Z.row(first + i) = start.row(i);
      }
    }
  });
  return Z;
}

}  // namespace dualkpca
