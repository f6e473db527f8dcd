#include "baselines/lambda_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "baselines/common.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/objective/loss.hpp"

namespace dualkpca::baselines {
namespace {

constexpr double allowed_zeros = 0.005;
constexpr int most_lambdas = 50;

// Scales every b_j to b_j'G b_j = 1. A column for which b_j'G b_j is only rounding becomes zero.
void normalise(SparseKpcaResult& result, const RankRule& rule) {
  Vector squares = result.B.cwiseProduct(result.scores).colwise().sum();
  const Vector lengths = result.B.colwise().squaredNorm();
  const auto quotient = [&](Index j) { return lengths[j] > 0 ? squares[j] / lengths[j] : 0.0; };
  double largest = 0;
  for (Index j = 0; j < squares.size(); ++j) largest = std::max(largest, quotient(j));
  for (Index j = 0; j < squares.size(); ++j) {
    const double scale = rule.is_zero(quotient(j), largest) ? 0 : 1 / std::sqrt(squares[j]);
    result.B.col(j) *= scale;
    result.scores.col(j) *= scale;
  }
}

SparseKpcaResult search(double target, double largest,
                        const std::function<SparseKpcaResult(double lambda1)>& solve_normalised) {
  SparseKpcaResult best = solve_normalised(0);
  const double allowed = std::max(allowed_zeros, 0.5 / static_cast<double>(best.B.size()));
  // B = 0 misses every target, because a target is below one.
  const auto miss = [&](const SparseKpcaResult& at) { return at.sparsity < 1 ? std::abs(at.sparsity - target) : 2.0; };
  double low = 0, high = largest;
  for (int k = 0; k < most_lambdas && miss(best) > allowed; ++k) {
    // lambda1 may have any order of magnitude, so the search takes geometric means. Before that it divides by 100 until
    // the share of zeros is below the target.
    const double lambda1 = low > 0 ? std::sqrt(low * high) : 0.01 * high;
    if (!(lambda1 > std::max(low * (1 + 1e-9), 1e-12 * largest))) break;
    SparseKpcaResult next = solve_normalised(lambda1);
    (next.sparsity < target ? low : high) = lambda1;
    if (miss(next) < miss(best)) best = std::move(next);
  }
  return best;
}

}  // namespace

void validate(const SparseKpcaParams& params) {
  const auto require_weight = [](const char* name, double value) {
    if (!(value >= 0 && std::isfinite(value)))
      throw InvalidArgument(fmt::format("{} is {}; it must be 0 or positive", name, value));
  };
  require_weight("lambda1", params.lambda1);
  require_weight("lambda2", params.lambda2);
  if (params.sparsity && !(*params.sparsity >= 0 && *params.sparsity < 1))
    throw InvalidArgument(fmt::format("sparsity is {}; it must be in [0, 1)", *params.sparsity));
  if (!(params.tol > 0 && params.tol < 1))
    throw InvalidArgument(fmt::format("tol is {}; it must be in (0, 1)", params.tol));
  require_positive_count("max_outer", params.max_outer);
  require_positive_count("max_inner", params.max_inner);
}

SparseKpcaResult with_sparsity(const GramOperator& gram, const SparseKpcaParams& params, double largest,
                               const std::function<SparseKpcaResult(double lambda1)>& solve_at) {
  const Index products_before = gram.counts().products;
  const RankRule rule = rank_rule(gram);
  const auto solve_normalised = [&](double lambda1) {
    SparseKpcaResult at = solve_at(lambda1);
    normalise(at, rule);
    at.lambda1 = lambda1;
    at.sparsity = zero_share(at.B, Norm::entries);
    return at;
  };
  SparseKpcaResult result =
      params.sparsity ? search(*params.sparsity, largest, solve_normalised) : solve_normalised(params.lambda1);
  result.products = gram.counts().products - products_before;
  return result;
}

}  // namespace dualkpca::baselines
