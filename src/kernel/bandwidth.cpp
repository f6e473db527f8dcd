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

// Returns the variance of all n d entries after scaling, in two passes, as NumPy's X.var(). Sparse rows are never
// scaled.
double variance_of_entries(const SamplesView& X, const Scaler& scaler) {
  const auto count = static_cast<double>(X.rows()) * static_cast<double>(X.cols());
  std::vector<double> scaled(static_cast<std::size_t>(X.is_sparse() ? 0 : X.cols()));
  const auto sum_over_entries = [&](const auto& term) {
    double sum = 0;
    for (Index i = 0; i < X.rows(); ++i) {
      if (X.is_sparse()) {
        X.for_each_entry(i, [&](Index, double value) { sum += term(value); });
      } else {
        X.copy_row(i, scaled.data());
        scaler.apply(scaled.data());
        for (const double value : scaled) sum += term(value);
      }
    }
    return sum;
  };
  const double mean = sum_over_entries([](double value) { return value; }) / count;
  const double squares = sum_over_entries([&](double value) { return (value - mean) * (value - mean); });
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

Matrix distances_of_sample(const SamplesView& X, const Scaler& scaler, Distance kind, std::uint64_t seed) {
  const std::vector<Index> chosen = random_subset(X.rows(), std::min(X.rows(), median_sample), seed);
  if (X.is_sparse()) {
    const Samples sample = X.pick(chosen, Precision::float64);
    return distances_between(sample.view().sparse<double>(), kind);
  }
  const auto m = static_cast<Index>(chosen.size());
  Matrix sample(m, X.cols());
  for (Index i = 0; i < m; ++i) {
    double* row = sample.data() + i * X.cols();
    X.copy_row(chosen[static_cast<std::size_t>(i)], row);
    scaler.apply(row);
  }
  return distances_between(DenseRows<double>{sample.data(), m, X.cols(), X.cols()}, kind);
}

// Returns the median distance of all pairs of a seeded sample of rows, or the mean distance if the median is 0.
double typical_distance(const SamplesView& X, const Scaler& scaler, Distance kind, std::uint64_t seed) {
  const Matrix distances = distances_of_sample(X, scaler, kind, seed);
  const Index m = distances.rows();
  std::vector<double> pairs;
  pairs.reserve(static_cast<std::size_t>(m * (m - 1) / 2));
  for (Index i = 1; i < m; ++i) pairs.insert(pairs.end(), distances.data() + i * m, distances.data() + i * m + i);
  if (pairs.empty()) return 0;
  const double median = median_of(pairs);
  return median > 0 ? median : std::accumulate(pairs.begin(), pairs.end(), 0.0) / static_cast<double>(pairs.size());
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
  const auto inverse = [](double spread) {
    if (!(spread > 0)) throw DataError("all rows are equal: no width can be learnt from them; give gamma as a number");
    return 1 / spread;
  };
  const Distance kind = distance_of(params.name);
  const auto d = static_cast<double>(X.cols());
  switch (params.gamma.rule) {
    case GammaRule::value: return params.gamma.value;
    case GammaRule::automatic: return 1 / d;
    case GammaRule::median: return inverse(typical_distance(X, scaler, kind, seed));
    case GammaRule::scale: break;
  }
  const double variance = variance_of_entries(X, scaler);
  switch (kind) {
    case Distance::squared: return inverse(d * variance);
    case Distance::euclidean: return inverse(std::sqrt(d * variance));
    case Distance::manhattan: return inverse(d * std::sqrt(variance));
  }
  return 0;
}

}  // namespace dualkpca
