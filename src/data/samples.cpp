#include "dualkpca/data/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Sums x * 0, which is 0 for finite x and NaN otherwise, so that no branch is needed.
template <class T>
bool all_finite(const T* data, Index count, Index stride) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < count; ++i) sum += data[i * stride] * T{0};
  return sum == T{0};
}

template <class T>
bool all_finite(const T* data, Index outer, Index outer_stride, Index inner, Index inner_stride) {
  // The two loops are kept apart so that the compiler sees the unit stride, which it can vectorise.
  for (Index i = 0; i < outer; ++i)
    if (!(inner_stride == 1 ? all_finite(data + i * outer_stride, inner, 1)
                            : all_finite(data + i * outer_stride, inner, inner_stride)))
      return false;
  return true;
}

}  // namespace

Index SamplesView::nonzeros() const {
  if (!is_sparse()) return rows_ * cols_;
  return rows_ == 0 ? 0 : offsets_[rows_] - offsets_[0];
}

double SamplesView::sparse_at(Index i, Index j) const {
  const std::int32_t* end = columns_ + offsets_[i + 1];
  const std::int32_t* found = std::lower_bound(columns_ + offsets_[i], end, j);
  if (found == end || *found != j) return 0;
  const Index at = found - columns_;
  return precision_ == Precision::float32 ? static_cast<double>(static_cast<const float*>(data_)[at])
                                          : static_cast<const double*>(data_)[at];
}

SamplesView SamplesView::slice(Index first, Index count) const {
  if (is_sparse()) return {offsets_ + first, columns_, data_, precision_, count, cols_};
  const auto offset = first * row_stride_ * static_cast<Index>(bytes_of(precision_));
  return {static_cast<const char*>(data_) + offset, precision_, count, cols_, row_stride_, col_stride_};
}

void SamplesView::copy_row(Index i, double* out) const {
  if (is_sparse()) {
    std::fill_n(out, cols_, 0.0);
    for_each_entry(i, [&](Index j, double value) { out[j] = value; });
    return;
  }
  const auto copy = [&](const auto* data) {
    data += i * row_stride_;
    if (col_stride_ == 1)
      std::copy(data, data + cols_, out);
    else
      for (Index j = 0; j < cols_; ++j) out[j] = static_cast<double>(data[j * col_stride_]);
  };
  if (precision_ == Precision::float32)
    copy(static_cast<const float*>(data_));
  else
    copy(static_cast<const double*>(data_));
}

void SamplesView::require_finite(const std::string& what, Index first_row) const {
  if (is_sparse()) require_ascending(what, first_row);
  const auto check = [&](const auto* data) {
    if (is_sparse()) return all_finite(data + offsets_[0], nonzeros(), 1);
    // The inner loop runs along the smaller stride: Fortran order is read column by column.
    return col_stride_ <= row_stride_ ? all_finite(data, rows_, row_stride_, cols_, col_stride_)
                                      : all_finite(data, cols_, col_stride_, rows_, row_stride_);
  };
  const bool finite = precision_ == Precision::float32 ? check(static_cast<const float*>(data_))
                                                       : check(static_cast<const double*>(data_));
  if (finite) return;
  for (Index i = 0; i < rows_; ++i)
    for_each_entry(i, [&](Index j, double value) {
      if (std::isfinite(value)) return;
      throw DataError(fmt::format("{}: row {}, column {}: the value is {}; every value must be a finite number", what,
                                  first_row + i + 1, j + 1,
                                  std::isnan(value) ? "NaN"
                                  : value > 0       ? "infinity"
                                                    : "-infinity"));
    });
}

void SamplesView::require_ascending(const std::string& what, Index first_row) const {
  // All offsets are checked first, because only then is offsets[rows] known to be the end of the entries.
  for (Index i = 0; i < rows_; ++i)
    if (offsets_[i] < 0 || offsets_[i] > offsets_[i + 1])
      throw DataError(fmt::format("{}: row {} ends before it begins: the offsets of sparse rows must ascend", what,
                                  first_row + i + 1));
  for (Index i = 0; i < rows_; ++i) {
    for (Index e = offsets_[i]; e < offsets_[i + 1]; ++e) {
      if (columns_[e] < 0 || columns_[e] >= cols_)
        throw DataError(fmt::format("{}: row {}: column {} is outside 1..{}", what, first_row + i + 1,
                                    Index{columns_[e]} + 1, cols_));
      if (e > offsets_[i] && columns_[e] <= columns_[e - 1])
        throw DataError(fmt::format("{}: row {}: column {} comes after {}; the columns of a sparse row must ascend",
                                    what, first_row + i + 1, Index{columns_[e]} + 1, Index{columns_[e - 1]} + 1));
    }
  }
}

namespace {

template <class T>
Samples picked(const SamplesView& X, std::span<const Index> indices) {
  if (!X.is_sparse()) {
    std::vector<T> values;
    values.reserve(indices.size() * static_cast<std::size_t>(X.cols()));
    for (const Index i : indices) {
      if (X.is_row_major() && X.precision() == precision_of<T>) {  // plain copies of memory
        const T* row = X.dense<T>().row(i);
        values.insert(values.end(), row, row + X.cols());
      } else {
        X.for_each_entry(i, [&](Index, double value) { values.push_back(static_cast<T>(value)); });
      }
    }
    return {std::move(values), static_cast<Index>(indices.size()), X.cols()};
  }
  CsrRows<T> rows;
  rows.cols = X.cols();
  for (const Index i : indices) {
    X.for_each_entry(i, [&](Index j, double value) {
      rows.columns.push_back(static_cast<std::int32_t>(j));
      rows.values.push_back(static_cast<T>(value));
    });
    rows.offsets.push_back(static_cast<Index>(rows.values.size()));
  }
  return Samples(std::move(rows));
}

// Returns shared memory that holds `values`, and a view of it.
template <class Values, class View>
std::pair<std::shared_ptr<const void>, SamplesView> owned(Values values, const View& view) {
  auto memory = std::make_shared<const Values>(std::move(values));
  const SamplesView seen = view(*memory);
  return {std::move(memory), seen};
}

}  // namespace

Samples SamplesView::pick(std::span<const Index> indices) const { return pick(indices, precision_); }

Samples SamplesView::pick(std::span<const Index> indices, Precision precision) const {
  return precision == Precision::float32 ? picked<float>(*this, indices) : picked<double>(*this, indices);
}

Matrix SamplesView::to_matrix() const {
  Matrix X(rows_, cols_);
  for (Index i = 0; i < rows_; ++i) copy_row(i, X.row(i).data());
  return X;
}

Samples::Samples(CsrRows<float> X) {
  std::tie(memory_, view_) = owned(std::move(X), [](const auto& rows) { return SamplesView(rows.view()); });
}

Samples::Samples(CsrRows<double> X) {
  std::tie(memory_, view_) = owned(std::move(X), [](const auto& rows) { return SamplesView(rows.view()); });
}

Samples::Samples(Matrix X) {
  std::tie(memory_, view_) = owned(std::move(X), [](const auto& matrix) { return SamplesView(matrix); });
}

Samples::Samples(std::vector<float> values, Index rows, Index cols) {
  std::tie(memory_, view_) =
      owned(std::move(values), [&](const auto& all) { return SamplesView(all.data(), rows, cols); });
}

Samples::Samples(std::vector<double> values, Index rows, Index cols) {
  std::tie(memory_, view_) =
      owned(std::move(values), [&](const auto& all) { return SamplesView(all.data(), rows, cols); });
}

}  // namespace dualkpca
