#include "dualkpca/data/scaler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/names.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<Scaling, 4> scaling_names = {{{Scaling::none, "none"},
                                                  {Scaling::standard, "standard"},
                                                  {Scaling::robust, "robust"},
                                                  {Scaling::minmax, "minmax"}}};

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Calls visit(row) with every row as an array expression.
template <class Visit>
void for_each_row(const SamplesView& X, const Visit& visit) {
  Eigen::ArrayXd row(X.cols());
  for (Index i = 0; i < X.rows(); ++i) {
    X.copy_row(i, row.data());
    visit(row);
  }
}

// Computes mean and standard deviation in two passes. The second pass also removes the rounding errors of the first
// from the mean (Chan, Golub and LeVeque 1983).
void fit_standard(const SamplesView& X, Vector& center, Vector& scale) {
  const auto n = static_cast<double>(X.rows());
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(X.cols());
  for_each_row(X, [&](const Eigen::ArrayXd& row) { sum += row; });
  const Eigen::ArrayXd mean = sum / n;
  Eigen::ArrayXd rest = Eigen::ArrayXd::Zero(X.cols()), squares = rest;
  for_each_row(X, [&](const Eigen::ArrayXd& row) {
    rest += row - mean;
    squares += (row - mean).square();
  });
  center = mean + rest / n;
  const Eigen::ArrayXd variance = (squares - rest.square() / n) / n;
  // Bound of scikit-learn for the variance that rounding alone gives a constant column (_is_constant_feature).
  const Eigen::ArrayXd rounding = n * epsilon * variance + (n * epsilon * mean).square();
  scale = (variance.isFinite() && variance <= rounding).select(1.0, variance.sqrt());
}

void fit_minmax(const SamplesView& X, Vector& center, Vector& scale) {
  Eigen::ArrayXd low(X.cols()), high(X.cols());
  X.copy_row(0, low.data());
  high = low;
  for_each_row(X, [&](const Eigen::ArrayXd& row) {
    low = low.min(row);
    high = high.max(row);
  });
  center = low;
  scale = (high == low).select(1.0, high - low);
}

// Returns the quantile q, linear between the order statistics around q (n - 1), as numpy.quantile. Reorders the column.
double quantile(std::vector<double>& column, double q) {
  const double at = q * static_cast<double>(column.size() - 1);
  const double below = std::floor(at);
  const auto nth = column.begin() + static_cast<Index>(below);
  std::nth_element(column.begin(), nth, column.end());
  if (at == below) return *nth;
  const double next = *std::min_element(nth + 1, column.end());
  return std::lerp(*nth, next, at - below);
}

void fit_robust(const SamplesView& X, Vector& center, Vector& scale) {
  center.resize(X.cols());
  scale.resize(X.cols());
  std::vector<double> column(static_cast<std::size_t>(X.rows()));
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.rows(); ++i) column[i] = X(i, j);
    center[j] = quantile(column, 0.5);
    const double range = quantile(column, 0.75) - quantile(column, 0.25);
    scale[j] = range > 0 ? range : 1.0;
  }
}

}  // namespace

std::string_view to_string(Scaling scaling) { return name_of(scaling_names, scaling); }

Scaling parse_scaling(std::string_view name) { return parse_name(scaling_names, "scaling", name); }

Scaler Scaler::fit(Scaling scaling, const SamplesView& X) {
  Scaler scaler{scaling};
  if (scaling == Scaling::none) return scaler;
  if (X.rows() == 0) throw InvalidArgument("scaling needs at least one row");
  X.require_finite("scaling");
  if (scaling == Scaling::standard) fit_standard(X, scaler.center, scaler.scale);
  if (scaling == Scaling::robust) fit_robust(X, scaler.center, scaler.scale);
  if (scaling == Scaling::minmax) fit_minmax(X, scaler.center, scaler.scale);
  for (Index j = 0; j < X.cols(); ++j)
    if (!std::isfinite(scaler.center[j]) || !std::isfinite(scaler.scale[j]))
      throw DataError(
          fmt::format("scaling: column {}: the values are too large for their spread to be a float64", j + 1));
  return scaler;
}

void Scaler::apply(double* row) const {
  if (scaling == Scaling::none) return;
  Eigen::Map<Eigen::ArrayXd> x(row, center.size());
  x = (x - center.array()) / scale.array();
}

void Scaler::revert(double* row) const {
  if (scaling == Scaling::none) return;
  Eigen::Map<Eigen::ArrayXd> x(row, center.size());
  x = x * scale.array() + center.array();
}

}  // namespace dualkpca
