#include "solver/product_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "core/small_eigen.hpp"
#include "core/tall_matrix.hpp"

namespace dualkpca {
namespace {

// Rows with the largest bounds, which are always measured, and rows drawn at random among the others.
constexpr Index certain_rows = 64, drawn_rows = 192;
// An estimate also measures the rows in which the Ritz vectors have the largest products: where nearly all entries of
// a row are 0, so are their errors, and the bounds do not know that.
constexpr Index certain_rows_of_estimate = 20, telling_rows_of_estimate = 20, drawn_rows_of_estimate = 24;
constexpr double worst_of_independent = 8;  // no error of a sum of independent ones is this many times its typical size

constexpr double smallest_share = 1e-18;  // stands for entries that are too small to have a known share

double median_of(Vector values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Returns all indices, those of the `first` largest values before the others.
std::vector<Index> by_size(const Vector& values, Index first) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  if (first >= values.size()) return order;
  std::nth_element(order.begin(), order.begin() + first, order.end(),
                   [&](Index a, Index b) { return values[a] > values[b]; });
  return order;
}

// Length of the combinations Z of products whose errors are mixed like this.
double mixed_length(const Matrix& mixing, const Matrix& Z) {
  return std::sqrt(std::max(0.0, Z.cwiseProduct(mixing * Z).sum()));
}

}  // namespace

// Rows whose errors are measured.
struct ProductErrorBound::Sample {
  std::vector<Index> certain{};
  std::vector<Index> drawn{};  // with repetitions
  Vector drawn_weights{};      // 1 / probability of each drawn row
  double left = 0;             // sum of the squared bounds of the rows that are not certain

  [[nodiscard]] std::vector<Index> rows() const {
    std::vector<Index> all = certain;
    all.insert(all.end(), drawn.begin(), drawn.end());
    return all;
  }
};

ProductErrorBound::ProductErrorBound(const GramOperator& gram, double failure, std::uint64_t seed)
    : gram_(gram), failure_(0.5 * failure), seed_(seed) {}

double ProductErrorBound::entries_norm() {
  if (!entries_norm_) {
    const double most = std::sqrt(static_cast<double>(gram_.size()));
    const RoundingErrors errors = gram_.rounding(most, true);
    // The norm of a random symmetric matrix with entries of size 1 is about 2 sqrt(n), and in general about twice the
    // length of its longest row. That of any symmetric matrix is at most its largest sum of a row.
    entries_norm_ = errors.shared_norm + 2 * most * errors.single.maxCoeff();
    if (knows_entries(errors))
      entries_norm_ = std::min(*entries_norm_, errors.shared_share.cwiseProduct(*sums_).maxCoeff() +
                                                   4 * errors.single_share.cwiseProduct(sums_->cwiseSqrt()).maxCoeff() +
                                                   smallest_share * most * most);
  }
  return raised_ * *entries_norm_;
}

void ProductErrorBound::look_at_entries() {
  if (sums_) return;
  sums_ = gram_.offdiagonal_sums();
  entries_norm_.reset();
}

bool ProductErrorBound::knows_entries(const RoundingErrors& errors) const {
  return sums_ && sums_->size() > 0 && errors.shared_share.size() > 0;
}

RoundingErrors ProductErrorBound::rounding(const KnownProducts& products, bool sharp) const {
  RoundingErrors errors = gram_.rounding(column_sums(products.Q).norm(), sharp);
  if (!knows_entries(errors)) return errors;
  // These kernels are at most 1, so that sum_j k_ij^2 <= sum_j |k_ij|.
  const double rest = smallest_share * std::sqrt(static_cast<double>(gram_.size()));
  const Vector lengths = sums_->cwiseSqrt().array() + rest, largest = sums_->cwiseMin(1).array() + rest;
  errors.shared = errors.shared.cwiseMin(errors.shared_share.cwiseProduct(lengths));
  errors.single = errors.single.cwiseMin(errors.single_share.cwiseProduct(largest));
  return errors;
}

ProductErrorBound::Sample ProductErrorBound::draw(const Vector& bounds, const Vector& ranks, Index certain,
                                                  Index drawn) {
  const Index n = bounds.size();
  std::vector<Index> order = by_size(ranks, certain);
  Sample sample;
  if (n <= certain + drawn) {
    sample.certain = std::move(order);
    return sample;
  }
  const auto end = order.begin() + certain;
  sample.certain.assign(order.begin(), end);
  const std::vector<Index> others(end, order.end());
  const Vector weights = Vector(bounds(others)).cwiseAbs2();
  if (!(weights.sum() > 0)) return sample;  // the other rows have no errors
  std::mt19937_64 random(seed_++);
  std::discrete_distribution<Index> row(weights.begin(), weights.end());
  for (Index i = 0; i < drawn; ++i) sample.drawn.push_back(others[static_cast<std::size_t>(row(random))]);
  sample.left = weights.sum();
  sample.drawn_weights = sample.left * Vector(bounds(sample.drawn)).cwiseAbs2().cwiseInverse();
  return sample;
}

Matrix ProductErrorBound::measured_rows(const KnownProducts& products, const std::vector<Index>& rows) const {
  const Index n = gram_.size();
  Matrix D = products.GQ(rows, Eigen::all);
  constexpr Index panel = 4096;
  std::vector<Index> others;
  for (Index first = 0; first < n; first += panel) {
    others.resize(static_cast<std::size_t>(std::min(panel, n - first)));
    std::iota(others.begin(), others.end(), first);
    const auto length = static_cast<Index>(others.size());
    Matrix block(length, D.rows());
    gram_.exact_block(others, rows, block);
    D -= inner(block, products.Q.middleRows(first, length), gram_.threads());
  }
  return D;
}

ProductErrors ProductErrorBound::operator()(const KnownProducts& products, const Matrix& Z) {
  const RoundingErrors errors = rounding(products, true);
  if (gram_.precision() == Precision::float32) return measured(products, Z, errors);
  return a_priori(products, Z, errors);
}

ProductErrors ProductErrorBound::a_priori(const KnownProducts& products, const Matrix& Z,
                                          const RoundingErrors& errors) {
  const double s = static_cast<double>(Z.cols()), n = static_cast<double>(products.Q.rows());
  // At worst the n errors of a row add up like numbers of one sign.
  const Vector single = worst_of_independent * std::sqrt(n) * errors.single;
  const Vector sums = worst_of_independent * errors.sums;
  const double ritz = (errors.shared + single + mixed_length(products.mixing, Z) * sums).norm();
  const double spectral = errors.shared_norm + single.norm() + std::sqrt(products.mixing.trace()) * sums.norm();
  return {.ritz = ritz, .coupling = ritz + 0.5 * std::sqrt(s) * spectral, .spectral = 2 * spectral};
}

ProductErrors ProductErrorBound::measured(const KnownProducts& products, const Matrix& Z,
                                          const RoundingErrors& errors) {
  const double s = static_cast<double>(Z.cols()), m = static_cast<double>(products.Q.cols());
  // A combination of unit length has the shared errors once. The other errors of different columns are independent.
  const Vector all = errors.shared + std::sqrt(m) * errors.single + std::sqrt(products.mixing.trace()) * errors.sums;
  const Vector of_chosen =
      errors.shared + std::sqrt(s) * errors.single + mixed_length(products.mixing, Z) * errors.sums;
  Vector bounds = all;
  // Rows with tiny bounds get larger ones, since one row that none is drawn from must not outweigh all others.
  bounds = bounds.cwiseMax(std::max(0.1 * median_of(bounds), std::numeric_limits<double>::min()));
  const double share = of_chosen.cwiseQuotient(bounds).maxCoeff();
  const Sample sample = draw(bounds, bounds, certain_rows, drawn_rows);
  const std::vector<Index> rows = sample.rows();
  const Matrix D = measured_rows(products, rows), DZ = D * Z;
  const auto certain = static_cast<Index>(sample.certain.size()), drawn = static_cast<Index>(sample.drawn.size());
  const Vector row_bounds = bounds(rows);
  // The a-priori bounds are a model of rounding. If a row exceeds its own, all are raised.
  const bool is_centered = &gram_.uncentered() != &gram_;
  const double offset = is_centered ? (D.rowwise().norm() + row_bounds).minCoeff() : 0;
  raised_ = std::max(raised_, 2 * (D.rowwise().norm().array() / (row_bounds.array() + offset)).maxCoeff());
  // Bounds the sum of the squared errors of all rows that are not certain. `errors_of` are those of the measured rows,
  // and `part` is what their bounds are of `bounds`.
  const auto rest = [&](const Matrix& errors_of, double part) {
    if (drawn == 0) return 0.0;
    // Measured errors of a centred matrix all contain the same unknown row, which is no error. It is at most as long as
    // what any row shows and its own error together.
    const double unknown = is_centered ? (errors_of.rowwise().norm() + part * row_bounds).minCoeff() : 0;
    const double most = sample.left * std::pow(raised_ * (part + unknown / bounds.minCoeff()), 2);
    const Vector squares = errors_of.bottomRows(drawn).rowwise().squaredNorm();
    return most * largest_mean(squares.cwiseProduct(sample.drawn_weights).mean() / most, drawn, 0.5 * failure_);
  };
  const double unseen = rest(D, 1), ritz_unseen = rest(DZ, share);
  if (drawn > 0) failure_ *= 0.5;
  const Matrix top = D.topRows(certain);
  const double ritz = std::sqrt(DZ.topRows(certain).squaredNorm() + ritz_unseen);
  const double length = std::sqrt(top.squaredNorm() + unseen);  // |D|_F, of which |D'U|_F is a part
  const double spectral = std::sqrt(std::max(0.0, small_eigenvalues(top * top.transpose())[0]) + unseen);
  return {.ritz = ritz, .coupling = ritz + 0.5 * std::min(std::sqrt(s) * spectral, length), .spectral = 2 * spectral};
}

Vector ProductErrorBound::likely_squares(const KnownProducts& products, const Matrix& Z, const Vector& most) {
  const RoundingErrors errors = rounding(products, false);
  const Vector lengths = Z.cwiseProduct(products.mixing * Z).colwise().sum().cwiseMax(0).cwiseSqrt();
  Vector squares(Z.cols());
  for (Index j = 0; j < Z.cols(); ++j) {
    Vector rows = errors.shared + errors.single + lengths[j] * errors.sums;
    if (most.size() > 0) rows = rows.cwiseMin(most);
    squares[j] = rows.squaredNorm();
  }
  return squares;
}

Vector ProductErrorBound::estimated_squares(const KnownProducts& products, const Matrix& Z) {
  const RoundingErrors errors = rounding(products, false);
  Vector bounds = errors.shared + errors.single + errors.sums;
  bounds = bounds.cwiseMax(std::max(0.1 * median_of(bounds), std::numeric_limits<double>::min()));
  Vector ranks = bounds;
  const Vector telling = bounds.cwiseProduct(times(products.GQ, Z, gram_.threads()).rowwise().norm());
  const std::vector<Index> order = by_size(telling, telling_rows_of_estimate);
  for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), telling_rows_of_estimate); ++k)
    ranks[order[k]] = std::numeric_limits<double>::infinity();
  const Sample sample =
      draw(bounds, ranks, certain_rows_of_estimate + telling_rows_of_estimate, drawn_rows_of_estimate);
  const Matrix D = measured_rows(products, sample.rows()) * Z;
  const auto certain = static_cast<Index>(sample.certain.size()), drawn = static_cast<Index>(sample.drawn.size());
  Vector squares = D.topRows(certain).colwise().squaredNorm();
  if (drawn > 0) squares += D.bottomRows(drawn).cwiseAbs2().transpose() * sample.drawn_weights / drawn;
  return squares;
}

double largest_mean(double sampled_mean, Index count, double failure) {
  // The probability is at most exp(-count kl(sampled_mean, mean)), with the Kullback-Leibler divergence of two coins.
  const double limit = -std::log(failure) / static_cast<double>(count), p = std::clamp(sampled_mean, 0.0, 1.0);
  const auto divergence = [&](double q) {
    return (p > 0 ? p * std::log(p / q) : 0.0) + (p < 1 ? (1 - p) * std::log((1 - p) / (1 - q)) : 0.0);
  };
  double low = p, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (divergence(middle) > limit ? high : low) = middle;
  }
  return high;
}

}  // namespace dualkpca
