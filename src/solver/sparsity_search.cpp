#include "solver/sparsity_search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dualkpca {
namespace {

constexpr double allowed_share = 0.01;
constexpr double rough_tol = 1e-3;  // tolerance of intermediate solutions
constexpr int most_solutions = 25;

// Returns the midpoint of the largest size that becomes zero and the next one, so that rounding does not decide.
double quantile(std::vector<double> values, double share) {
  const auto count = static_cast<double>(values.size());
  const auto at = static_cast<std::size_t>(std::clamp(std::round(share * count), 1.0, count - 1));
  const auto middle = values.begin() + static_cast<Index>(at);
  std::nth_element(values.begin(), middle, values.end());
  const double below = *std::max_element(values.begin(), middle);
  return 0.5 * (below + *middle);
}

class SparsitySearch {
 public:
  SparsitySearch(const SparsityTarget& target, const Matrix& first, const SolveAt& solve_at)
      : target_(target), first_(first), solve_at_(solve_at), high_(target.largest) {
    const Index units = target.norm == Norm::rows ? first.rows() : first.size();
    allowed_ = std::max(allowed_share, 1.0 / static_cast<double>(units));
  }

  SparsityFound run() {
    search(quantile(sizes_of(first_, target_.norm), target_.share), false);
    if (!is_over_ && below_.size() > 0) {
      // If the best solution jumped over the target to another minimum, the minimum below the target is followed.
      low_ = below_epsilon_;
      high_ = target_.largest;
      search(std::max(below_predicted_, 1.01 * low_), true);
    }
    if (found_.solution.H.size() == 0 && nearest_H_.size() > 0)  // the target lies in a jump
      (void)record(nearest_, solve_at_(nearest_, nearest_H_, true, target_.tol), true);
    return std::move(found_);
  }

 private:
  // Bisection between low_ and high_, sped up by prediction; sets is_over_ if the target is met or a run was
  // interrupted.
  void search(double epsilon, bool follow) {
    for (int k = 0; k < most_solutions && !is_over_; ++k) {
      DcOutcome rough = solve_at_(epsilon, follow ? below_ : last_, follow, std::max(rough_tol, target_.tol));
      last_ = rough.H;
      const double predicted = quantile(sizes_of(rough.at.Y, target_.norm), target_.share);
      const bool interrupted = rough.is_interrupted();
      double share = record(epsilon, std::move(rough), interrupted);
      if (!is_over_ && std::abs(share - target_.share) <= allowed_)
        share = record(epsilon, solve_at_(epsilon, last_, true, target_.tol), true);
      (share < target_.share ? low_ : high_) = epsilon;
      if (high_ - low_ <= 1e-6 * high_) return;
      epsilon = predicted > low_ && predicted < high_ && k % 3 != 2 ? predicted : 0.5 * (low_ + high_);
    }
  }

  // Records the share of zeros of a solution; `final`: the solution may be returned.
  double record(double epsilon, DcOutcome solution, bool final) {
    const double share = zero_share(solution.H, target_.norm);
    const double miss = share < 1 ? std::abs(share - target_.share) : 2;  // all zeros is no solution
    if (share <= target_.share && share >= found_.share_below) {
      found_.share_below = share;
      below_ = solution.H;
      below_epsilon_ = epsilon;
      below_predicted_ = quantile(sizes_of(solution.at.Y, target_.norm), target_.share);
    }
    if (share >= target_.share) found_.share_above = std::min(found_.share_above, share);
    if (miss < nearest_miss_) {
      nearest_miss_ = miss;
      nearest_ = epsilon;
      nearest_H_ = solution.H;
    }
    const bool interrupted = solution.is_interrupted();
    // An interrupted search returns zeros if it has nothing else.
    if ((final && miss < found_miss_) || (interrupted && found_.solution.H.size() == 0)) {
      found_miss_ = miss;
      found_.epsilon = epsilon;
      found_.share = share;
      found_.is_met = miss <= allowed_;
      found_.solution = std::move(solution);
    }
    is_over_ = is_over_ || interrupted || found_.is_met;
    return share;
  }

  const SparsityTarget& target_;
  const Matrix& first_;
  const SolveAt& solve_at_;
  double allowed_ = 0, low_ = 0, high_;
  SparsityFound found_{};
  double found_miss_ = 2, nearest_miss_ = 2, nearest_ = 0;
  Matrix last_{}, below_{}, nearest_H_{};
  double below_epsilon_ = 0, below_predicted_ = 0;
  bool is_over_ = false;
};

}  // namespace

SparsityFound search_sparsity(const SparsityTarget& target, const Matrix& first, const SolveAt& solve_at) {
  return SparsitySearch(target, first, solve_at).run();
}

}  // namespace dualkpca
