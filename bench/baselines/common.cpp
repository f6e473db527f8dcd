#include "baselines/common.hpp"

#include <fmt/format.h>

#include <cmath>

#include "baselines/comparison.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/objective/dual_objective.hpp"

namespace dualkpca::baselines {

void require_components(const GramOperator& gram, Index s) {
  if (s < 1 || s > gram.size())
    throw InvalidArgument(fmt::format("n_components is {}; it must be in 1..{}", s, gram.size()));
}

void require_positive_count(const char* name, Index value) {
  if (value < 1) throw InvalidArgument(fmt::format("{} is {}; it must be at least 1", name, value));
}

Matrix product(const GramOperator& gram, const Matrix& V) {
  Matrix GV(V.rows(), V.cols());
  gram.apply(V, GV);
  return GV;
}

Matrix orthonormal_coefficients(const GramOperator& gram, const Matrix& A, const Matrix& GA) {
  const SpectralRoot root = spectral_root(inner(A, GA), inner(A, A), rank_rule(gram));
  Matrix out = Matrix::Zero(A.rows(), A.cols());
  const Index rank = root.values.size();
  if (rank > 0) out.leftCols(rank) = times(A, root.vectors) * root.values.cwiseSqrt().cwiseInverse().asDiagonal();
  return out;
}

double explained(const GramOperator& gram, const Matrix& B) {
  if (B.rows() != gram.size()) throw InvalidArgument(fmt::format("B has {} rows; G has {}", B.rows(), gram.size()));
  if (B.cols() == 0) return 0;
  // All columns get the same length, because a short column beside a long one would count as rounding.
  Matrix scaled = B;
  for (Index j = 0; j < B.cols(); ++j) {
    const double length = B.col(j).norm();
    if (length > 0) scaled.col(j) /= length;
  }
  const Matrix GB = product(gram, scaled);
  const SpectralRoot root = spectral_root(inner(scaled, GB), inner(scaled, scaled), rank_rule(gram));
  if (root.values.size() == 0) return 0;
  return (times(GB, root.vectors) * root.values.cwiseSqrt().cwiseInverse().asDiagonal()).squaredNorm();
}

}  // namespace dualkpca::baselines
