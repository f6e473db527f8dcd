#include <numeric>
#include <vector>

#include "core/top_eigenpairs.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "solver/fill_result.hpp"
#include "solver/solvers.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

constexpr Index most_multiplied = 128;  // components that are checked by a product

Matrix explicit_matrix(const GramOperator& gram) {
  std::vector<Index> all(static_cast<std::size_t>(gram.size()));
  std::iota(all.begin(), all.end(), Index{0});
  Matrix G(gram.size(), gram.size());
  gram.columns(all, G);
  return G;
}

}  // namespace

SolveResult solve_dense(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe) {
  const Index n = gram.size();
  const auto may_continue = [&] {
    return !observe || observe({.stage = Progress::Stage::solve, .eta = 1, .tol = params.tol});
  };
  const TopEigenpairs top = top_eigenpairs(explicit_matrix(gram), s, may_continue);
  if (top.values.size() == 0) throw Interrupted("stopped while LAPACK was at work; there is no model to keep");
  const RankRule rule = rank_rule(gram);
  require_positive(top.values[s - 1], top.values[0], rule);
  const Index rank = rule.rank(top.values, s);

  // H = U sqrt(Lambda), so G H = H Lambda up to rounding; one product measures how accurate that is. The product itself
  // is not used as G H: components that are small compared with the entries of K would be lost in its rounding.
  SolveResult result;
  result.is_eigen = true;
  result.H = Matrix::Zero(n, s);
  result.GH = Matrix::Zero(n, s);
  if (rank == 0) return result;
  const Vector values = top.values.head(rank);
  const Matrix H = top.vectors.leftCols(rank) * values.cwiseSqrt().asDiagonal();
  const Matrix GH = H * values.asDiagonal();
  // A product with many components would take as long as the decomposition, so only a sample of them is checked.
  const std::vector<Index> sample = random_subset(rank, most_multiplied, params.seed);
  Matrix product(n, static_cast<Index>(sample.size()));
  gram.apply(H(Eigen::all, sample), product);
  result.eta = estimate_eta(H(Eigen::all, sample), product * values(sample).cwiseInverse().asDiagonal());
  result.eta += share_left_out(top.values, rank, rule);
  result.dual_objective = 0.5 * H.squaredNorm() - H.cwiseProduct(GH).colwise().sum().cwiseMax(0).cwiseSqrt().sum();
  result.primal_objective = -0.5 * (GH * values.cwiseInverse().asDiagonal()).squaredNorm();
  result.H.leftCols(rank) = H;
  result.GH.leftCols(rank) = GH;
  return result;
}

}  // namespace dualkpca
