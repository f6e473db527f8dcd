#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/names.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/kernel/kernel_params.hpp"
#include "kernel/families.hpp"

namespace dualkpca {
namespace {

constexpr Index median_sample = 1000;  // half a million pairs put the sampled median within a fraction of a percent

// Variance of all n d entries, in two passes, as numpy's X.var().
double variance_of_entries(Index n, Index d, const RowReader& row) {
  std::vector<double> x(static_cast<std::size_t>(d));
  const auto count = static_cast<double>(n) * static_cast<double>(d);
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    row(i, x.data());
    sum += std::accumulate(x.begin(), x.end(), 0.0);
  }
  const double mean = sum / count;
  double squares = 0;
  for (Index i = 0; i < n; ++i) {
    row(i, x.data());
    for (const double v : x) squares += (v - mean) * (v - mean);
  }
  return squares / count;
}

// As numpy's median: the mean of the two middle ones if their number is even.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// Distances (squared or not) of all pairs of a seeded sample of rows: their median, or their mean where most are 0.
double typical_distance(Index n, Index d, const RowReader& row, std::uint64_t seed, bool squared) {
  const std::vector<Index> chosen = random_subset(n, std::min(n, median_sample), seed);
  const auto m = static_cast<Index>(chosen.size());
  Matrix X(m, d), distances(m, m);
  for (Index i = 0; i < m; ++i) row(chosen[static_cast<std::size_t>(i)], X.data() + i * d);
  squared_distance_tile<double>({X.data(), m, d, d}, {X.data(), m, d, d}, {distances.data(), m, m, m});
  if (!squared) distances = distances.cwiseSqrt();
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

void KernelParams::validate() const {
  if (gamma.rule == GammaRule::value && uses_gamma(name) && !(gamma.value > 0 && std::isfinite(gamma.value)))
    throw InvalidArgument(fmt::format("gamma is {}; it must be positive and finite", gamma.value));
  if (gamma.rule == GammaRule::median && name == KernelName::poly)
    throw InvalidArgument("gamma median has no meaning for kernel poly; accepted: a positive number, auto, scale");
  if (name != KernelName::poly) return;
  if (degree < 1 || degree > 100) throw InvalidArgument(fmt::format("degree is {}; it must be in 1..100", degree));
  if (!std::isfinite(coef0)) throw InvalidArgument(fmt::format("coef0 is {}; it must be finite", coef0));
}

double resolve_gamma(const KernelParams& params, Index n, Index d, const RowReader& row, std::uint64_t seed) {
  // laplace is a function of |x-y|, not of its square, so its gamma is an inverse length.
  const bool squared = params.name != KernelName::laplace;
  const auto inverse = [](double spread) {
    if (!(spread > 0)) throw DataError("all rows are equal: no width can be learnt from them; give gamma as a number");
    return 1 / spread;
  };
  switch (params.gamma.rule) {
    case GammaRule::value: return params.gamma.value;
    case GammaRule::automatic: return 1.0 / static_cast<double>(d);
    case GammaRule::scale: {
      const double spread = static_cast<double>(d) * variance_of_entries(n, d, row);
      return inverse(squared ? spread : std::sqrt(spread));
    }
    case GammaRule::median: return inverse(typical_distance(n, d, row, seed, squared));
  }
  return 0;
}

}  // namespace dualkpca
