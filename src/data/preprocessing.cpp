#include "data/preprocessing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Multiplies a value by the unit and converts it to the precision of the kernel. Throws DataError if its square would
// overflow; the message shows original(), which is the number before scaling.
template <class T, class Original>
T narrowed(double value, double unit, Index row, Index col, const Original& original) {
  constexpr double largest = precision_of<T> == Precision::float32 ? 1e15 : 1e150;
  if (!(std::abs(value * unit) < largest))
    throw DataError(fmt::format("row {}, column {} is {:.3g}, too large for {} arithmetic{}: scale the data{}", row + 1,
                                col + 1, original(), to_string(precision_of<T>),
                                unit == 1 ? "" : ", even in the unit of the training rows",
                                precision_of<T> == Precision::float32 ? " or use precision float64" : ""));
  return static_cast<T>(value * unit);
}

// Returns the factor of a row with this largest entry: the unit, or if T cannot hold the digits of so small a row, the
// power of two that lengthens it to what T can hold. Beside rows of typical length it stays as good as 0.
template <class T>
double factor_of_row(double largest, double unit) {
  constexpr int exponent = -80;
  if (precision_of<T> != Precision::float32 || largest == 0 || largest * unit >= 0x1p-80) return unit;
  return std::ldexp(1.0, exponent - std::ilogb(largest));
}

// Returns the entries of dense or sparse rows that are not zero, multiplied by the unit.
template <class T>
Samples sparse_rows(const SamplesView& X, const Preprocessing& input, Index first_row) {
  const auto stored = static_cast<std::size_t>(X.is_sparse() ? X.nonzeros() : 0);
  CsrRows<T> rows;
  rows.cols = X.cols();
  rows.offsets.reserve(static_cast<std::size_t>(X.rows()) + 1);
  rows.columns.reserve(stored);
  rows.values.reserve(stored);
  for (Index i = 0; i < X.rows(); ++i) {
    double unit = input.unit;
    if (input.keeps_directions) {
      double largest = 0;
      X.for_each_entry(i, [&](Index, double value) { largest = std::max(largest, std::abs(value)); });
      unit = factor_of_row<T>(largest, unit);
    }
    X.for_each_entry(i, [&](Index j, double value) {
      if (value == 0) return;
      rows.columns.push_back(static_cast<std::int32_t>(j));
      rows.values.push_back(narrowed<T>(value, unit, first_row + i, j, [&] { return value; }));
    });
    rows.offsets.push_back(static_cast<Index>(rows.values.size()));
  }
  return Samples(std::move(rows));
}

}  // namespace

template <class T>
void Preprocessing::fill(const SamplesView& samples, Index first_row, T* out) const {
  Vector row(samples.cols());
  for (Index i = 0; i < samples.rows(); ++i, out += samples.cols()) {
    samples.copy_row(i, row.data());
    scaler.apply(row.data());
    if (shift.size() > 0) row -= shift;
    const double factor = keeps_directions ? factor_of_row<T>(row.lpNorm<Eigen::Infinity>(), unit) : unit;
    for (Index j = 0; j < samples.cols(); ++j)
      out[j] = narrowed<T>(row[j], factor, first_row + i, j, [&] { return samples(i, j); });
  }
}

template <class T>
Samples Preprocessing::dense_rows(const SamplesView& samples, int threads, Index first_row) const {
  const Index n = samples.rows(), d = samples.cols();
  std::vector<T> values(static_cast<std::size_t>(n * d));
  constexpr Index rows_per_task = 256, cost = 20;  // cost of an entry in multiply-adds
  parallel_blocks(n, rows_per_task, useful_threads(cost * n * d, threads), [&](Index first, Index count, int) {
    fill(samples.slice(first, count), first_row + first, values.data() + first * d);
  });
  return {std::move(values), n, d};
}

Samples Preprocessing::rows(const SamplesView& samples, const RowForm& form, int threads, Index first_row) const {
  const bool narrow = form.precision == Precision::float32;
  if (form.is_sparse)
    return narrow ? sparse_rows<float>(samples, *this, first_row) : sparse_rows<double>(samples, *this, first_row);
  return narrow ? dense_rows<float>(samples, threads, first_row) : dense_rows<double>(samples, threads, first_row);
}

Matrix Preprocessing::matrix(const SamplesView& samples, Index first_row) const {
  Matrix X(samples.rows(), samples.cols());
  fill(samples, first_row, X.data());
  return X;
}

Matrix Preprocessing::reverted(Matrix rows) const {
  rows /= unit;
  if (shift.size() > 0) rows.rowwise() += shift.transpose();
  for (Index i = 0; i < rows.rows(); ++i) scaler.revert(rows.row(i).data());
  return rows;
}

Samples Preprocessing::reverted(const Samples& sparse_rows) const {
  if (unit == 1) return sparse_rows;
  const SamplesView& rows = sparse_rows.view();
  CsrMatrix out{.offsets = {0}, .columns = {}, .values = {}, .cols = rows.cols()};
  for (Index i = 0; i < rows.rows(); ++i) {
    rows.for_each_entry(i, [&](Index j, double value) {
      out.columns.push_back(static_cast<std::int32_t>(j));
      out.values.push_back(value / unit);
    });
    out.offsets.push_back(static_cast<Index>(out.values.size()));
  }
  return Samples(std::move(out));
}

Vector mean_row(const SamplesView& X, const Scaler& scaler) {
  Vector row(X.cols()), sum = Vector::Zero(X.cols());
  for (Index i = 0; i < X.rows(); ++i) {
    X.copy_row(i, row.data());
    scaler.apply(row.data());
    sum += row;
  }
  return sum / static_cast<double>(X.rows());
}

}  // namespace dualkpca
