#include "solver/heavy_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solver/certificate.hpp"

namespace dualkpca {

namespace {

constexpr double nearest = 2, farthest = 8;  // theta_s as a multiple of k_ii: near the identity, and a few equal rows

// Returns true if most rows that are not zero have little outside the diagonal.
bool is_most_of(const Vector& diagonal, const Vector& offdiagonal) {
  constexpr double little = 0.1;
  std::vector<double> shares;
  for (Index i = 0; i < diagonal.size(); ++i)
    if (diagonal[i] > 0) shares.push_back(offdiagonal[i] / diagonal[i]);
  if (shares.empty()) return false;
  const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2);
  std::nth_element(shares.begin(), middle, shares.end());
  return *middle <= little;
}

}  // namespace

bool HeavyRows::are_needed(const GramOperator& gram, double theta_s) {
  // The mean that every entry counts in as much as it is large: rows of zeros do not lower it.
  const Vector d = gram.uncentered().diagonal().cwiseAbs();
  return theta_s * d.sum() <= farthest * d.squaredNorm();
}

HeavyRows::HeavyRows(const GramOperator& gram, double tol)
    : size_(gram.uncentered().diagonal().mean()),
      epsilon_(epsilon_of(gram.precision())),
      unseen_(std::max(0.1 * tol, 10 * epsilon_)),
      offdiagonal_(gram.offdiagonal_sums()) {
  if (offdiagonal_.size() == 0) return;
  const Vector diagonal = gram.uncentered().diagonal().cwiseAbs();
  sums_ = offdiagonal_ + diagonal;
  is_near_ = is_most_of(diagonal, offdiagonal_);
  order_.resize(static_cast<std::size_t>(sums_.size()));
  std::iota(order_.begin(), order_.end(), Index{0});
  std::sort(order_.begin(), order_.end(),
            [&](Index a, Index b) { return sums_[a] != sums_[b] ? sums_[a] > sums_[b] : a < b; });
}

double HeavyRows::least(const Vector& theta) const {
  return theta[theta.size() - 1] + unseen_ * theta.sum() / static_cast<double>(theta.size());
}

std::vector<Index> HeavyRows::next(const Vector& theta, Index most) {
  const double value = least(theta);
  std::vector<Index> rows;
  // Sums that are large nearly everywhere tell nothing.
  if (theta[theta.size() - 1] > nearest * size_ && count(theta) > 4 * most) return rows;
  while (returned_ < order_.size() && static_cast<Index>(rows.size()) < most && sums_[order_[returned_]] > value)
    rows.push_back(order_[returned_++]);
  return rows;
}

Index HeavyRows::count(const Vector& theta) const { return (sums_.array() > least(theta)).count(); }

double HeavyRows::largest_sum(Index s) const {
  if (order_.empty()) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t i = 0; i < std::min(order_.size(), static_cast<std::size_t>(s)); ++i) sum += sums_[order_[i]];
  return sum;
}

std::string HeavyRows::note() const {
  constexpr double least = 1e-3;  // a part of the diagonal that is worth mentioning
  const double more = largest_sum(1) / size_ - 1;
  if (!(more <= least)) return {};
  return fmt::format(
      "the kernel matrix is a multiple of the identity{}, so no component explains more than any other; a smaller "
      "gamma may help",
      more > epsilon_ ? fmt::format(" but for a share of {:.1g}", more) : "");
}

std::optional<double> HeavyRows::estimated_eta(const Vector& theta, double residual, double rounding,
                                               double next) const {
  constexpr double telling = 0.5;  // a bound on eta that is above this says nothing
  const Index s = theta.size();
  const double sum = theta.sum(), most = largest_sum(s), by_sums = std::max(0.0, 1 - sum / most);
  if (!(is_near_ && sum > 0 && by_sums < telling)) return std::nullopt;
  // The next sum bounds the next eigenvalue. If it is larger than theta_s, the gap may be 0.
  const double next_sum = s < sums_.size() ? sums_[order_[static_cast<std::size_t>(s)]] : 0;
  const double outside = std::min({next_sum, next, theta[s - 1]});
  const auto by_residual = [&](double squares) {
    return eta_of_excess(sum, residual_excess(theta, outside, std::sqrt(squares)), s);
  };
  return std::min(by_sums + epsilon_ + by_residual(rounding), unseen_ + by_residual(residual + rounding));
}

Matrix unit_columns(Index n, const std::vector<Index>& indices) {
  Matrix E = Matrix::Zero(n, static_cast<Index>(indices.size()));
  for (std::size_t c = 0; c < indices.size(); ++c) E(indices[c], static_cast<Index>(c)) = 1;
  return E;
}

}  // namespace dualkpca
