#include "model/fit/components.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/decompositions.hpp"
#include "core/tall_matrix.hpp"

namespace dualkpca {

namespace {

// T such that H T is ordered by the size of the columns, with the largest entry of each positive.
Matrix column_order(const Matrix& H) {
  const Vector norms = H.colwise().norm();
  std::vector<Index> order(static_cast<std::size_t>(H.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return norms[a] > norms[b]; });
  Matrix T = Matrix::Zero(H.cols(), H.cols());
  for (Index j = 0; j < H.cols(); ++j) {
    const Index from = order[static_cast<std::size_t>(j)];
    Index largest_row = 0;
    H.col(from).cwiseAbs().maxCoeff(&largest_row);
    T(from, j) = H(largest_row, from) < 0 ? -1 : 1;
  }
  return T;
}

Vector row_weights(const Matrix& Y, const Loss& loss) {
  if (loss.name == LossName::square) return {};
  const Matrix Z = loss.prox(Y);
  // A row whose scores are zero has the weight 0 if the loss makes rows zero, else 1.
  Vector weights = Vector::Constant(Y.rows(), loss.name == LossName::huber ? 1.0 : 0.0);
  for (Index i = 0; i < Y.rows(); ++i)
    if (const double size = Y.row(i).norm(); size > 0) weights[i] = std::min(1.0, Z.row(i).norm() / size);
  return weights;
}

// Eigenvectors are already ordered, so every column is treated on its own.
OrderedComponents order_eigenvectors(const SolveResult& solution, const RankRule& rule) {
  const Index n = solution.H.rows(), s = solution.H.cols();
  OrderedComponents out{
      .H = solution.H, .rotation = Matrix::Zero(s, s), .scores = Matrix::Zero(n, s), .eigenvalues = Vector::Zero(s)};
  const Vector values = solution.H.cwiseProduct(solution.GH).colwise().sum().cwiseMax(0).cwiseSqrt();
  const Vector inverse = values.unaryExpr([](double v) { return v > 0 ? 1 / v : 0; });
  Vector no_offset = Vector::Zero(s);
  out.scores = solution.GH * inverse.asDiagonal();
  out.eigenvalues = out.scores.colwise().squaredNorm();
  fix_signs(out.scores, out.H, no_offset);
  out.rotation.diagonal() = inverse;
  for (Index j = 0; j < s; ++j) {
    if (j > 0) out.eigenvalues[j] = std::min(out.eigenvalues[j], out.eigenvalues[j - 1]);  // equal up to rounding
    if (!rule.is_zero(out.eigenvalues[j], out.eigenvalues[0])) continue;
    out.eigenvalues[j] = 0;
    out.scores.col(j).setZero();
    out.rotation.col(j).setZero();
  }
  return out;
}

}  // namespace

OrderedComponents order_components(const SolveResult& solution, const RankRule& rule) {
  if (solution.is_eigen) return order_eigenvectors(solution, rule);
  const Matrix &H = solution.H, &GH = solution.GH;
  const Loss& loss = solution.loss;
  const Index s = H.cols();
  const SpectralRoot root = spectral_root(inner(H, GH), inner(H, H), rule);
  const Matrix P = root.inverse_root();
  const Matrix Y = times(GH, P);
  const GradedEigen eigen = graded_eigen(inner(Y, Y));
  Matrix R = eigen.vectors.rowwise().reverse();
  OrderedComponents out;
  out.weights = row_weights(Y, loss);
  out.eigenvalues = eigen.values.reverse();
  out.scores = times(Y, R);
  Vector no_offset = Vector::Zero(s);
  fix_signs(out.scores, R, no_offset);
  const bool turns = loss.name == LossName::square || loss.norm != Norm::entries;
  const Matrix T = turns ? R : column_order(H);
  out.H = times(H, T);  // exact where T only permutes: every sum has one term that is not zero
  out.rotation = inner(T, times(P, R));
  for (Index j = 0; j < s; ++j) {
    if (!rule.is_zero(out.eigenvalues[j], out.eigenvalues[0])) continue;
    out.eigenvalues[j] = 0;
    out.scores.col(j).setZero();
    out.rotation.col(j).setZero();
  }
  return out;
}

void fix_signs(Matrix& scores, Matrix& coefficients, Vector& offset) {
  for (Index j = 0; j < scores.cols(); ++j) {
    Index largest = 0;
    scores.col(j).cwiseAbs().maxCoeff(&largest);
    if (scores(largest, j) >= 0) continue;
    scores.col(j) *= -1;
    coefficients.col(j) *= -1;
    offset[j] *= -1;
  }
}

}  // namespace dualkpca
