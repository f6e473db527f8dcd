#include "solver/sparsity_search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dualkpca {
namespace {

constexpr double allowed_share = 0.01;
constexpr double rough_tol = 1e-3;  // of the solutions on the way
constexpr int most_solutions = 40;

// Between the size that is still zero and the next, so that rounding does not decide.
double quantile(std::vector<double> values, double share) {
  const auto count = static_cast<double>(values.size());
  const auto at = static_cast<std::size_t>(std::clamp(std::round(share * count), 1.0, count - 1));
  const auto middle = values.begin() + static_cast<Index>(at);
  std::nth_element(values.begin(), middle, values.end());
  const double below = *std::max_element(values.begin(), middle);
  return 0.5 * (below + *middle);
}

}  // namespace

SparsityFound search_sparsity(const SparsityTarget& target, const Matrix& first, const SolveAt& solve_at,
                              const std::function<bool()>& stop) {
  const Index live = first.cols(), units = target.norm == Norm::rows ? first.rows() : first.rows() * target.columns;
  // Of the columns that are not zero anyway.
  const double dead = target.norm == Norm::rows
                          ? 0.0
                          : static_cast<double>(target.columns - live) / static_cast<double>(target.columns);
  const auto share_of = [&](const Matrix& H) { return dead + (1 - dead) * zero_share(H, target.norm); };
  const double wanted = std::clamp((target.share - dead) / (1 - dead), 0.0, 1.0);
  const double allowed = std::max(allowed_share, 1.0 / static_cast<double>(units));

  SparsityFound best;
  double low = 0, high = target.largest, epsilon = quantile(sizes_of(first, target.norm), wanted), best_miss = 2;
  Matrix start = first;
  double tol = std::max(rough_tol, target.tol);
  for (int k = 0; k < most_solutions; ++k) {
    DcOutcome solution = solve_at(epsilon, start, tol);
    const double share = share_of(solution.H), miss = std::abs(share - target.share);
    const bool is_last = tol <= target.tol;
    if (share <= target.share) best.share_below = std::max(best.share_below, share);
    if (share >= target.share) best.share_above = std::min(best.share_above, share);
    start = solution.H;
    const double predicted = quantile(sizes_of(solution.at.Y, target.norm), wanted);
    if (is_last && miss < best_miss) {
      best_miss = miss;
      best.epsilon = epsilon;
      best.share = share;
      best.is_met = miss <= allowed;
      best.solution = std::move(solution);
    }
    if (best.is_met || stop()) break;
    if (miss <= allowed / 2 && !is_last) {
      tol = target.tol;
      continue;
    }
    (share < target.share ? low : high) = epsilon;
    if (high - low <= 1e-7 * high) {
      if (is_last) break;
      tol = target.tol;  // both sides have been seen roughly; the nearer one is solved well
      epsilon = share < target.share ? low : high;
      continue;
    }
    const bool inside = predicted > low && predicted < high;
    epsilon = inside && k % 3 != 2 ? predicted : 0.5 * (low + high);
  }
  if (best.solution.H.size() == 0) {  // stopped, or the target lies in a jump
    best.solution = solve_at(epsilon, start, target.tol);
    best.epsilon = epsilon;
    best.share = share_of(best.solution.H);
    best.is_met = std::abs(best.share - target.share) <= allowed;
  }
  return best;
}

}  // namespace dualkpca
