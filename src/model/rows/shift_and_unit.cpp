#include "model/rows/shift_and_unit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/median.hpp"
#include "core/parallel.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca {
namespace {

constexpr Index most_rows = 1001;       // an odd number has one value in the middle
constexpr int ordinary = 20;            // typical lengths up to 2^20 and down to 2^-20 need no unit
constexpr int largest_exponent = 1000;  // powers of two up to this one and their inverses are float64 numbers

// Returns the median as NumPy does: the mean of the two middle values if their number is even.
double middle_of(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);  // a sum could overflow
}

// Returns the same, faster for many values. Two of every 31st value bracket the median nearly always. The values
// between them are found without branches, which a processor could not predict.
double bracketed_middle_of(std::span<double> values, std::vector<double>& between) {
  constexpr std::size_t step = 31, below = 9;
  const std::size_t count = values.size(), middle = count / 2;
  if (count % 2 == 0 || count < 16 * step) return middle_of(values);
  between.clear();
  for (std::size_t k = 0; k < count; k += step) between.push_back(values[k]);
  std::sort(between.begin(), between.end());
  const double low = between[below], high = between[between.size() - 1 - below];
  between.resize(count + 1);
  std::size_t found = 0, smaller = 0;
  for (const double value : values) {
    between[found] = value;
    found += static_cast<std::size_t>(value >= low) & static_cast<std::size_t>(value <= high);
    smaller += static_cast<std::size_t>(value < low);
  }
  if (middle < smaller || middle >= smaller + found) return middle_of(values);
  const auto at = between.begin() + static_cast<std::ptrdiff_t>(middle - smaller);
  std::nth_element(between.begin(), at, between.begin() + static_cast<std::ptrdiff_t>(found));
  return *at;
}

}  // namespace

std::vector<Index> typical_rows(Index n, std::uint64_t seed) { return random_subset(n, std::min(n, most_rows), seed); }

Vector median_row(const SamplesView& X, std::span<const Index> rows, const Scaler& scaler, int threads) {
  constexpr Index columns_per_task = 64, cost = 100;  // cost of an entry in multiply-adds
  const Index d = X.cols(), m = static_cast<Index>(rows.size());
  Vector medians(d);
  parallel_blocks(d, columns_per_task, useful_threads(cost * m * d, threads), [&](Index first, Index count, int) {
    std::vector<double> columns(static_cast<std::size_t>(count * m)), between;
    for (Index r = 0; r < m; ++r)
      for (Index j = 0; j < count; ++j)
        columns[static_cast<std::size_t>(j * m + r)] = X(rows[static_cast<std::size_t>(r)], first + j);
    for (Index j = 0; j < count; ++j)
      medians[first + j] = bracketed_middle_of({columns.data() + j * m, static_cast<std::size_t>(m)}, between);
  });
  scaler.apply(medians.data());  // scaling keeps the order, so one value is scaled and not all of them
  return medians;
}

double unit_of_rows(const SamplesView& X, std::span<const Index> rows, const Preprocessing& input) {
  std::vector<double> x, lengths;
  for (const Index i : rows) {
    if (X.is_sparse()) {  // these are neither scaled nor shifted
      x.clear();
      X.for_each_entry(i, [&](Index, double value) { x.push_back(value); });
    } else {
      x.resize(static_cast<std::size_t>(X.cols()));
      X.copy_row(i, x.data());
      input.scaler.apply(x.data());
      if (input.shift.size() > 0) Eigen::Map<Vector>(x.data(), X.cols()) -= input.shift;
    }
    // No square overflows or underflows here.
    const double length = Eigen::Map<const Vector>(x.data(), static_cast<Index>(x.size())).stableNorm();
    if (length > 0) lengths.push_back(length);
  }
  if (lengths.empty()) return 1;
  const Vector all = Eigen::Map<const Vector>(lengths.data(), static_cast<Index>(lengths.size()));
  const double exponent = std::clamp<double>(std::log2(median(all)), -largest_exponent, largest_exponent);
  return std::abs(exponent) <= ordinary ? 1 : std::ldexp(1.0, -static_cast<int>(std::lround(exponent)));
}

}  // namespace dualkpca
