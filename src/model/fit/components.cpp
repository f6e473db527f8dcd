#include "model/fit/components.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/decompositions.hpp"
#include "core/tall_matrix.hpp"
#include "solver/automatic.hpp"
#include "solver/fill_result.hpp"

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
  // Nothing is left of a row without a score where rows become zero; elsewhere it is as it was.
  Vector weights = Vector::Constant(Y.rows(), loss.name == LossName::huber ? 1.0 : 0.0);
  for (Index i = 0; i < Y.rows(); ++i)
    if (const double size = Y.row(i).norm(); size > 0) weights[i] = std::min(1.0, Z.row(i).norm() / size);
  return weights;
}

}  // namespace

namespace {

// Of eigenvectors in their order: every column for itself.
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
    if (j > 0) out.eigenvalues[j] = std::min(out.eigenvalues[j], out.eigenvalues[j - 1]);  // equal but for rounding
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

namespace {

Vector eigenvalues_of(const SolveResult& result, const RankRule& rule) {
  return result.landmarks ? Vector(result.H.colwise().squaredNorm()) : order_components(result, rule).eigenvalues;
}

void keep_components(SolveResult& result, Index count, const RankRule& rule) {
  // What all s may be short of, the first of them may be short of at most.
  const double sum = result.H.colwise().squaredNorm().sum(), kept = result.H.leftCols(count).squaredNorm();
  const double missing = result.eta < 1 ? result.eta / (1 - result.eta) * sum : sum;
  if (result.landmarks) {
    result.H = Matrix(result.H.leftCols(count));
    result.landmarks->coefficients = Matrix(result.landmarks->coefficients.leftCols(count));
    result.landmarks->offset = Vector(result.landmarks->offset.head(count));
    result.primal_objective = -0.5 * result.H.squaredNorm();
  } else {
    fill_result(result, Matrix(result.H.leftCols(count)), Matrix(result.GH.leftCols(count)), count, rule);
  }
  result.eta = kept > 0 ? missing / (kept + missing) : 0;
}

}  // namespace

SolveResult solve_fraction(const GramOperator& gram, double fraction, const SolverParams& params,
                           const GramFacts& facts, const Observer& observe) {
  const Index n = gram.size();
  // LAPACK gives all components at once; an iterative solver starts with few and doubles them until they suffice.
  Index s = params.name == SolverName::dense ||
                    (params.name == SolverName::automatic && automatic_is_dense(n, unknown_components))
                ? n
                : std::min<Index>(n, 16);
  SolverParams search = params;
  search.accuracy = Accuracy::estimated;  // a certificate for many components is none for the first few of them
  for (Index iterations = 0;; s = std::min(n, 2 * s)) {
    SolveResult result = solve(gram, s, search, facts, observe);
    result.iterations = iterations += result.iterations;
    const RankRule rule = rank_rule(gram);
    const double trace = result.landmarks ? result.landmarks->trace_high : gram.diagonal().sum();
    const double wanted = fraction * trace;
    const Vector eigenvalues = eigenvalues_of(result, rule);
    double explained = 0;
    Index count = 0;
    while (count < s && explained < wanted) explained += eigenvalues[count++];
    if (explained < wanted && s < n && eigenvalues[s - 1] > 0 && result.status == Status::converged) continue;
    count = std::max<Index>(count, 1);
    if (params.accuracy == Accuracy::certified && result.status == Status::converged) {
      result = solve(gram, count, params, facts, observe);
      result.iterations += iterations;
      return result;
    }
    keep_components(result, count, rule);
    return result;
  }
}

}  // namespace dualkpca
