#include <cmath>
#include <numeric>

#include "baselines/common.hpp"
#include "baselines/comparison.hpp"
#include "baselines/deflated_gram.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/objective/dual_objective.hpp"

namespace dualkpca::baselines {
namespace {

// Returns the signs of the column j of G with the largest sum_i |G_ij| / sqrt(G_jj) among those with G_jj > least;
// empty if there is no such column.
Vector first_signs(const GramOperator& gram, double least) {
  constexpr Index panel = 256;
  const Index n = gram.size();
  const Vector diagonal = gram.diagonal();
  Vector signs;
  double largest = 0;
  for (Index first = 0; first < n; first += panel) {
    std::vector<Index> indices(static_cast<std::size_t>(std::min(panel, n - first)));
    std::iota(indices.begin(), indices.end(), first);
    Matrix columns(n, static_cast<Index>(indices.size()));
    gram.columns(indices, columns);
    const Eigen::RowVectorXd sums = columns.cwiseAbs().colwise().sum();
    for (Index c = 0; c < sums.size(); ++c) {
      const double own = diagonal[first + c];
      if (!(own > least) || !(sums[c] > largest * std::sqrt(own))) continue;
      largest = sums[c] / std::sqrt(own);
      signs = columns.col(c).unaryExpr([](double value) { return value < 0 ? -1.0 : 1.0; });
    }
  }
  return signs;
}

struct Component {
  Vector c{};  // signs
  Matrix Gc{};
  Index iterations = 0;
  std::vector<double> objective{};
  bool converged = false;
};

// Iterates c <- sign(Gc). Values that are only rounding do not change a sign, or two rows could change theirs for ever.
Component fixed_point(const GramOperator& gram, Vector c, double rounding, Index max_iter) {
  Component found{.c = std::move(c)};
  while (true) {
    found.Gc = product(gram, found.c);
    found.objective.push_back(found.c.dot(found.Gc.col(0)));
    if (found.iterations == max_iter) return found;
    ++found.iterations;
    bool changed = false;
    for (Index i = 0; i < found.c.size(); ++i) {
      const double value = found.Gc(i, 0);
      if (std::abs(value) <= rounding || value * found.c[i] > 0) continue;
      found.c[i] = -found.c[i];
      changed = true;
    }
    if (!changed) {
      found.converged = true;
      return found;
    }
  }
}

// Adds a column of A with A'GA = I, and its scores. It is orthogonalised twice, because cancellation spoils a single
// pass.
void add_component(const Component& found, Index l, Matrix& A, Matrix& scores) {
  Matrix alpha = found.c, u = found.Gc;  // u is already the deflated product
  alpha -= times(A.leftCols(l), inner(scores.leftCols(l), found.c));
  for (int pass = 0; pass < 2; ++pass) {
    const double length = std::sqrt(alpha.cwiseProduct(u).sum());
    alpha /= length;
    u /= length;
    if (pass == 1) break;
    const Matrix overlap = inner(scores.leftCols(l), alpha);
    alpha -= times(A.leftCols(l), overlap);
    u -= times(scores.leftCols(l), overlap);
  }
  A.col(l) = alpha;
  scores.col(l) = u;
}

}  // namespace

L1KpcaResult l1_kpca(const GramOperator& gram, Index s, const L1KpcaParams& params) {
  require_components(gram, s);
  require_positive_count("max_iter", params.max_iter);
  const Index n = gram.size();
  const RankRule rule = rank_rule(gram);
  const Vector diagonal = gram.diagonal();
  require_positive(diagonal.minCoeff(), diagonal.maxCoeff(), rule);
  const double least = std::max(rule.absolute, rule.relative * diagonal.maxCoeff());
  const double rounding = rule.absolute * std::sqrt(static_cast<double>(n));  // rounding of a sum of n entries
  L1KpcaResult result{.A = Matrix::Zero(n, s), .scores = Matrix::Zero(n, s)};
  result.iterations.assign(static_cast<std::size_t>(s), 0);
  result.objective.resize(static_cast<std::size_t>(s));
  DeflatedGram deflated(gram, s);
  double largest = 0;
  for (Index l = 0; l < s; ++l) {
    Vector signs = first_signs(deflated, least);
    if (signs.size() == 0) break;  // nothing is left of G
    Component found = fixed_point(deflated, std::move(signs), rounding, params.max_iter);
    const double quotient = found.objective.back() / static_cast<double>(n);
    if (l == 0) largest = quotient;
    if (rule.is_zero(quotient, largest)) break;  // only rounding is left of G
    add_component(found, l, result.A, result.scores);
    deflated.deflate(result.scores.col(l));
    const auto at = static_cast<std::size_t>(l);
    result.iterations[at] = found.iterations;
    result.objective[at] = std::move(found.objective);
    result.converged = result.converged && found.converged;
  }
  return result;
}

}  // namespace dualkpca::baselines
