#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/names.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/kernel/kernel_params.hpp"
#include "kernel/tiles.hpp"

namespace dualkpca {
namespace {

constexpr Index median_sample = 1000;  // half a million pairs put the sampled median within a fraction of a percent

// Rows after scaling, multiplied by a factor that keeps squares within the range of float64. Sparse rows are never
// scaled.
class ScaledRows {
 public:
  ScaledRows(const SamplesView& X, const Scaler& scaler, double factor) : X_(X), scaler_(scaler), factor_(factor) {}

  // Calls visit(value) for every entry. Zeros of sparse rows that are not stored are left out.
  template <class Visit>
  void for_each_entry(const Visit& visit) const {
    std::vector<double> row(static_cast<std::size_t>(X_.is_sparse() ? 0 : X_.cols()));
    for (Index i = 0; i < X_.rows(); ++i) {
      if (X_.is_sparse()) {
        X_.for_each_entry(i, [&](Index, double value) { visit(factor_ * value); });
      } else {
        copy_row(i, row.data());
        for (const double value : row) visit(value);
      }
    }
  }
  void copy_row(Index i, double* out) const {
    X_.copy_row(i, out);
    scaler_.apply(out);
    if (factor_ == 1) return;
    for (Index j = 0; j < X_.cols(); ++j) out[j] *= factor_;
  }
  [[nodiscard]] const SamplesView& samples() const { return X_; }
  [[nodiscard]] double factor() const { return factor_; }

 private:
  const SamplesView& X_;
  const Scaler& scaler_;
  double factor_;
};

// Returns the variance of all n d entries, in two passes, as NumPy's X.var().
double variance_of_entries(const ScaledRows& rows) {
  const SamplesView& X = rows.samples();
  const auto count = static_cast<double>(X.rows()) * static_cast<double>(X.cols());
  double sum = 0, squares = 0;
  rows.for_each_entry([&](double value) { sum += value; });
  const double mean = sum / count;
  rows.for_each_entry([&](double value) { squares += (value - mean) * (value - mean); });
  const double zeros = count - static_cast<double>(X.nonzeros());  // zeros of sparse rows that are not stored
  return (squares + zeros * mean * mean) / count;
}

// Returns the median as NumPy does: the mean of the two middle values if their number is even.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

enum class Distance { euclidean, squared, manhattan };

// Returns the kind of distance that gamma is an inverse of.
Distance distance_of(KernelName name) {
  if (name == KernelName::laplacian) return Distance::manhattan;
  if (name == KernelName::rbf || uses_coef0(name)) return Distance::squared;
  return Distance::euclidean;
}

template <class Rows>
Matrix distances_between(const Rows& X, Distance kind) {
  Matrix distances(X.rows, X.rows);
  const TileRef<double> out{distances.data(), X.rows, X.rows, X.rows};
  kind == Distance::manhattan ? manhattan_distance_tile(X, X, out) : squared_distance_tile(X, X, out);
  if (kind == Distance::euclidean) distances = distances.cwiseSqrt();
  return distances;
}

Matrix distances_of_sample(const ScaledRows& rows, Distance kind, std::uint64_t seed) {
  const SamplesView& X = rows.samples();
  const std::vector<Index> chosen = random_subset(X.rows(), std::min(X.rows(), median_sample), seed);
  const auto m = static_cast<Index>(chosen.size());
  if (X.is_sparse()) {
    CsrMatrix sample{.offsets = {0}, .columns = {}, .values = {}, .cols = X.cols()};
    for (const Index i : chosen) {
      X.for_each_entry(i, [&](Index j, double value) {
        sample.columns.push_back(static_cast<std::int32_t>(j));
        sample.values.push_back(rows.factor() * value);
      });
      sample.offsets.push_back(static_cast<Index>(sample.values.size()));
    }
    return distances_between(sample.view(), kind);
  }
  Matrix sample(m, X.cols());
  for (Index i = 0; i < m; ++i) rows.copy_row(chosen[static_cast<std::size_t>(i)], sample.data() + i * X.cols());
  return distances_between(DenseRows<double>{sample.data(), m, X.cols(), X.cols()}, kind);
}

// Returns the median distance of all pairs of a seeded sample of rows, or the mean distance if the median is 0.
double typical_distance(const ScaledRows& rows, Distance kind, std::uint64_t seed) {
  const Matrix distances = distances_of_sample(rows, kind, seed);
  const Index m = distances.rows();
  std::vector<double> pairs;
  pairs.reserve(static_cast<std::size_t>(m * (m - 1) / 2));
  for (Index i = 1; i < m; ++i) pairs.insert(pairs.end(), distances.data() + i * m, distances.data() + i * m + i);
  if (pairs.empty()) return 0;
  const double median = median_of(pairs);
  return median > 0 ? median : std::accumulate(pairs.begin(), pairs.end(), 0.0) / static_cast<double>(pairs.size());
}

// Returns what gamma is an inverse of, by one of the two rules that look at the rows.
double spread_of(const ScaledRows& rows, GammaRule rule, Distance kind, std::uint64_t seed) {
  if (rule == GammaRule::median) return typical_distance(rows, kind, seed);
  const double variance = variance_of_entries(rows);
  const auto d = static_cast<double>(rows.samples().cols());
  switch (kind) {
    case Distance::squared: return d * variance;
    case Distance::euclidean: return std::sqrt(d * variance);
    default: return d * std::sqrt(variance);
  }
}

// Returns the power of two that brings the largest entry after scaling to about 1; 1 if all entries are 0.
double normalizing_factor(const SamplesView& X, const Scaler& scaler) {
  constexpr int most = 1000;  // powers of two up to this one and their inverses are float64 numbers
  double largest = 0;
  ScaledRows(X, scaler, 1).for_each_entry([&](double value) { largest = std::max(largest, std::abs(value)); });
  return largest > 0 ? std::ldexp(1.0, -std::clamp(std::ilogb(largest), -most, most)) : 1;
}

// Returns the inverse of the spread. A spread whose squares come near the ends of the range of float64 is computed
// again from rows in another unit.
double inverse_spread(const SamplesView& X, const Scaler& scaler, GammaRule rule, Distance kind, std::uint64_t seed) {
  constexpr double low = 1e-120, high = 1e120;
  double spread = spread_of({X, scaler, 1}, rule, kind, seed), factor = 1;
  const double length = kind == Distance::squared ? std::sqrt(spread) : spread;
  if (!(length > low && length < high)) {
    factor = normalizing_factor(X, scaler);
    spread = spread_of({X, scaler, factor}, rule, kind, seed);
  }
  if (!(spread > 0)) throw DataError("all rows are equal: no width can be learnt from them; give gamma as a number");
  double gamma = factor / spread;
  if (kind == Distance::squared) gamma *= factor;
  if (!std::isnormal(gamma))
    throw DataError("the data are so small or so large that gamma is no float64 number: scale the data");
  return gamma;
}

}  // namespace

Gamma parse_gamma(std::string_view text) {
  if (text == "auto") return GammaRule::automatic;
  if (text == "scale") return GammaRule::scale;
  if (text == "median") return GammaRule::median;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value))
    throw InvalidArgument(fmt::format("gamma is '{}'; accepted: a positive number, auto, scale, median", text));
  return value;
}

bool KernelParams::is_positive_semidefinite() const {
  if (name == KernelName::sigmoid || name == KernelName::precomputed) return false;
  return name != KernelName::poly || coef0 >= 0;
}

void KernelParams::validate() const {
  if (gamma.rule == GammaRule::value && uses_gamma(name) && !(gamma.value > 0 && std::isfinite(gamma.value)))
    throw InvalidArgument(fmt::format("gamma is {}; it must be positive and finite", gamma.value));
  if (gamma.rule == GammaRule::median && uses_coef0(name))
    throw InvalidArgument(fmt::format(
        "gamma median has no meaning for kernel {}; accepted: a positive number, auto, scale", to_string(name)));
  if (uses_coef0(name) && !std::isfinite(coef0))
    throw InvalidArgument(fmt::format("coef0 is {}; it must be finite", coef0));
  if (name == KernelName::poly && (degree < 1 || degree > 100))
    throw InvalidArgument(fmt::format("degree is {}; it must be in 1..100", degree));
}

double resolve_gamma(const KernelParams& params, const SamplesView& X, const Scaler& scaler, std::uint64_t seed) {
  switch (params.gamma.rule) {
    case GammaRule::value: return params.gamma.value;
    case GammaRule::automatic: return 1 / static_cast<double>(X.cols());
    default: return inverse_spread(X, scaler, params.gamma.rule, distance_of(params.name), seed);
  }
}

}  // namespace dualkpca
