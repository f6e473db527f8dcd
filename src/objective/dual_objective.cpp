#include "dualkpca/objective/dual_objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/decompositions.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

Matrix symmetric(const Matrix& M) { return 0.5 * (M + M.transpose()); }

}  // namespace

Index RankRule::rank(const Vector& values, Index most) const {
  Index rank = 0;
  while (rank < std::min(most, values.size()) && !is_zero(values[rank], values[0])) ++rank;
  return rank;
}

RankRule rank_rule(const GramOperator& gram) {
  return {.relative = gram.precision() == Precision::float32 ? 4e-6 : 1e-12,
          .absolute = epsilon_of(gram.precision()) * std::sqrt(static_cast<double>(gram.size())) * gram.scale()};
}

void require_positive(double lowest, double largest, const RankRule& rule) {
  // The limit is ten times the size of rounding errors, so that no positive semi-definite kernel is refused.
  if (lowest < -10 * std::max(rule.absolute, rule.relative * std::abs(largest)))
    throw DataError(
        fmt::format("There are significant negative eigenvalues ({:.3g}): the kernel matrix is not positive "
                    "semi-definite, or rounding "
                    "hides that it is; choose another kernel, other parameters, fewer components, precision float64, "
                    "or a solver that "
                    "uses the positive eigenvalues only: dense or lanczos",
                    lowest));
}

Matrix SpectralRoot::inverse_root() const {
  return times(vectors * values.cwiseSqrt().cwiseInverse().asDiagonal(), vectors.transpose());
}

SpectralRoot spectral_root(const Matrix& S, const Matrix& HH, const RankRule& rule) {
  if (S.cols() == 0) return {};  // G is zero
  const GradedEigen eigen = graded_eigen(symmetric(S));
  const Matrix vectors = eigen.vectors.rowwise().reverse();
  const Vector values = eigen.values.reverse();
  const Vector squares = vectors.cwiseProduct(times(HH, vectors)).colwise().sum();
  // In a direction in which the columns of H cancel, both parts of the quotient are rounding errors.
  const double shortest = 1e-14 * HH.trace();
  const auto quotient = [&](Index i) { return squares[i] > shortest ? values[i] / squares[i] : 0.0; };
  double largest = 0;
  for (Index i = 0; i < values.size(); ++i) largest = std::max(largest, quotient(i));
  std::vector<Index> kept;
  for (Index i = 0; i < values.size(); ++i)
    if (values[i] > 0 && !rule.is_zero(quotient(i), largest)) kept.push_back(i);
  return {.vectors = vectors(Eigen::all, kept), .values = values(kept)};
}

DualEvaluation evaluate_dual(const Matrix& H, const Matrix& GH, const RankRule& rule) {
  DualEvaluation at;
  at.root = spectral_root(inner(H, GH), inner(H, H), rule);
  at.value = 0.5 * H.squaredNorm() - at.root.trace_root();
  at.Y = times(GH, at.root.inverse_root());
  return at;
}

DualLine::DualLine(const Matrix& H, const Matrix& GH, const Matrix& D, const Matrix& GD, const RankRule& rule)
    : HGH_(inner(H, GH)),
      HGD_(inner(H, GD)),
      DGD_(inner(D, GD)),
      HH_(inner(H, H)),
      HD_(inner(H, D)),
      DD_(inner(D, D)),
      rule_(rule) {}

DualLine::Point DualLine::at(double a) const {
  const Matrix S = HGH_ + a * (HGD_ + HGD_.transpose()) + a * a * DGD_;
  const Matrix HH = HH_ + a * (HD_ + HD_.transpose()) + a * a * DD_;
  const SpectralRoot root = spectral_root(S, HH, rule_);
  const double along = root.inverse_root().cwiseProduct(HGD_ + a * DGD_).sum();  // <Y(a), D>
  return {.value = 0.5 * HH.trace() - root.trace_root(), .slope = HD_.trace() + a * DD_.trace() - along};
}

RitzPoint ritz_point(const Matrix& H, const Matrix& GH, const RankRule& rule) {
  if (H.cols() == 0) return {.H = H, .GH = GH, .theta = Vector(0)};
  // Orthonormal basis Q = H W of the range of H; columns that depend on others are dropped.
  const GradedEigen basis = graded_eigen(symmetric(inner(H, H)));
  const double largest_square = std::max(0.0, basis.values.maxCoeff());
  std::vector<Index> independent;
  for (Index i = 0; i < H.cols(); ++i)
    if (basis.values[i] > 1e-14 * largest_square) independent.push_back(i);
  const Vector lengths = basis.values(independent).cwiseSqrt();
  const Matrix W = basis.vectors(Eigen::all, independent) * lengths.cwiseInverse().asDiagonal();
  if (W.cols() == 0) return {.H = Matrix(H.rows(), 0), .GH = Matrix(H.rows(), 0), .theta = Vector(0)};
  const Matrix T = symmetric(W.transpose() * inner(H, GH) * W);
  if (!T.allFinite()) throw DataError("the kernel values leave the range of the numbers: scale the data");
  const GradedEigen ritz = graded_eigen(T);
  const Vector theta = ritz.values.reverse();
  const Index rank = rule.rank(theta, theta.size());
  const Matrix C = W * ritz.vectors.rowwise().reverse().leftCols(rank) * theta.head(rank).cwiseSqrt().asDiagonal();
  return {.H = times(H, C), .GH = times(GH, C), .theta = theta.head(rank), .lowest = theta.minCoeff()};
}

}  // namespace dualkpca
