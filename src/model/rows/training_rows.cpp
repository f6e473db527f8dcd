#include "model/rows/training_rows.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// `value` is what the kernel would see of `original()`. Squares have to fit the precision.
template <class T, class Original>
T narrowed(double value, Index row, Index col, const Original& original) {
  constexpr double largest = precision_of<T> == Precision::float32 ? 1e15 : 1e150;
  if (!(std::abs(value) < largest))
    throw DataError(fmt::format("row {}, column {} is {:.3g}, too large for {} arithmetic: scale the data{}", row + 1,
                                col + 1, original(), to_string(precision_of<T>),
                                precision_of<T> == Precision::float32 ? " or use precision float64" : ""));
  return static_cast<T>(value);
}

}  // namespace

template <class T>
void RowTransform::apply(const SamplesView& X, Index i, Index first, double* scratch, T* out) const {
  X.copy_row(i, scratch);
  scaler.apply(scratch);
  for (Index j = 0; j < X.cols(); ++j)
    out[j] = narrowed<T>(scratch[j] - (shift.size() > 0 ? shift[j] : 0.0), first + i, j, [&] { return X(i, j); });
}
template void RowTransform::apply(const SamplesView&, Index, Index, double*, float*) const;
template void RowTransform::apply(const SamplesView&, Index, Index, double*, double*) const;

template <class T>
CsrBlock<T>::CsrBlock(const SamplesView& X, Index first) {
  const auto stored = static_cast<std::size_t>(X.is_sparse() ? X.nonzeros() : 0);
  offsets.reserve(static_cast<std::size_t>(X.rows()) + 1);
  columns.reserve(stored);
  values.reserve(stored);
  for (Index i = 0; i < X.rows(); ++i) {
    X.for_each_entry(i, [&](Index j, double value) {
      if (value == 0) return;
      columns.push_back(static_cast<std::int32_t>(j));
      values.push_back(narrowed<T>(value, first + i, j, [&] { return value; }));
    });
    offsets.push_back(static_cast<Index>(values.size()));
  }
}
template struct CsrBlock<float>;
template struct CsrBlock<double>;

Vector mean_row(const SamplesView& X, const Scaler& scaler) {
  Vector row(X.cols()), sum = Vector::Zero(X.cols());
  for (Index i = 0; i < X.rows(); ++i) {
    X.copy_row(i, row.data());
    scaler.apply(row.data());
    sum += row;
  }
  return sum / static_cast<double>(X.rows());
}

namespace {

template <class T>
TrainingRows copy_rows(const SamplesView& X, const RowTransform& transform, int threads) {
  auto memory = std::make_shared<std::vector<T>>(static_cast<std::size_t>(X.rows() * X.cols()));
  constexpr Index rows_per_task = 256, cost = 20;  // of an entry, in multiply-adds
  threads = useful_threads(cost * X.rows() * X.cols(), threads);
  parallel_for((X.rows() + rows_per_task - 1) / rows_per_task, threads, [&](Index c, int) {
    std::vector<double> scratch(static_cast<std::size_t>(X.cols()));
    for (Index i = c * rows_per_task; i < std::min(X.rows(), (c + 1) * rows_per_task); ++i)
      transform.apply(X, i, 0, scratch.data(), memory->data() + i * X.cols());
  });
  const T* data = memory->data();
  return {.memory = std::move(memory), .precision = precision_of<T>, .rows = X.rows(), .cols = X.cols(), .data = data};
}

template <class T>
TrainingRows copy_sparse_rows(const SamplesView& X) {
  auto memory = std::make_shared<const CsrBlock<T>>(X, 0);
  const SparseRows<T> rows = memory->view(X.cols());
  return {.memory = std::move(memory),
          .precision = precision_of<T>,
          .rows = rows.rows,
          .cols = rows.cols,
          .data = rows.values,
          .offsets = rows.offsets,
          .columns = rows.columns};
}

TrainingRows pick_sparse_rows(const SamplesView& X, const std::vector<Index>& indices) {
  auto memory = std::make_shared<CsrBlock<double>>();
  for (const Index i : indices) {
    const CsrBlock<double> row(X.slice(i, 1), i);
    memory->columns.insert(memory->columns.end(), row.columns.begin(), row.columns.end());
    memory->values.insert(memory->values.end(), row.values.begin(), row.values.end());
    memory->offsets.push_back(static_cast<Index>(memory->values.size()));
  }
  const SparseRows<double> rows = memory->view(X.cols());
  return {.memory = std::move(memory),
          .precision = Precision::float64,
          .rows = rows.rows,
          .cols = rows.cols,
          .data = rows.values,
          .offsets = rows.offsets,
          .columns = rows.columns};
}

}  // namespace

namespace {

template <class T>
TrainingRows picked(const TrainingRows& rows, const std::vector<Index>& indices) {
  TrainingRows out{.precision = rows.precision, .rows = static_cast<Index>(indices.size()), .cols = rows.cols};
  if (!rows.is_sparse()) {
    auto memory = std::make_shared<std::vector<T>>();
    memory->reserve(indices.size() * static_cast<std::size_t>(rows.cols));
    for (const Index i : indices) {
      const T* row = rows.dense<T>().row(i);
      memory->insert(memory->end(), row, row + rows.cols);
    }
    out.data = memory->data();
    out.memory = std::move(memory);
    return out;
  }
  const SparseRows<T> from = rows.sparse<T>();
  auto memory = std::make_shared<CsrBlock<T>>();
  for (const Index i : indices) {
    memory->columns.insert(memory->columns.end(), from.columns + from.offsets[i], from.columns + from.offsets[i + 1]);
    memory->values.insert(memory->values.end(), from.values + from.offsets[i], from.values + from.offsets[i + 1]);
    memory->offsets.push_back(static_cast<Index>(memory->values.size()));
  }
  out.data = memory->values.data();
  out.offsets = memory->offsets.data();
  out.columns = memory->columns.data();
  out.memory = std::move(memory);
  return out;
}

}  // namespace

Matrix widened(const TrainingRows& rows) {
  using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (rows.precision == Precision::float32)
    return Eigen::Map<const Floats>(static_cast<const float*>(rows.data), rows.rows, rows.cols).cast<double>();
  return Eigen::Map<const Matrix>(static_cast<const double*>(rows.data), rows.rows, rows.cols);
}

TrainingRows pick_rows(const TrainingRows& rows, const std::vector<Index>& indices) {
  return rows.precision == Precision::float32 ? picked<float>(rows, indices) : picked<double>(rows, indices);
}

TrainingRows pick_training_rows(const SamplesView& X, const std::vector<Index>& indices,
                                const RowTransform& transform) {
  if (X.is_sparse()) return pick_sparse_rows(X, indices);
  const auto count = static_cast<Index>(indices.size());
  auto memory = std::make_shared<std::vector<double>>(static_cast<std::size_t>(count * X.cols()));
  std::vector<double> scratch(static_cast<std::size_t>(X.cols()));
  for (Index i = 0; i < count; ++i)
    transform.apply(X, indices[static_cast<std::size_t>(i)], 0, scratch.data(), memory->data() + i * X.cols());
  const double* data = memory->data();
  return {.memory = std::move(memory), .precision = Precision::float64, .rows = count, .cols = X.cols(), .data = data};
}

namespace {

// A multiply and a shift per value (the finaliser of MurmurHash3): as fast as the values can be read.
void mix(std::uint64_t& hash, Index place, double value) {
  hash = (hash ^ std::bit_cast<std::uint64_t>(value) ^ static_cast<std::uint64_t>(place)) * 0xff51afd7ed558ccdULL;
  hash ^= hash >> 33;
}

void mix_row(std::uint64_t& hash, const SamplesView& X, Index i) {
  X.for_each_entry(i, [&](Index j, double value) {
    if (value != 0) mix(hash, j, value);  // dense rows have zeros that sparse ones do not store
  });
}

std::uint64_t shape_hash(const SamplesView& X) {
  return static_cast<std::uint64_t>(X.rows()) * 31 + static_cast<std::uint64_t>(X.cols());
}

}  // namespace

std::uint64_t checksum(const SamplesView& X) {
  std::uint64_t hash = shape_hash(X);
  for (Index i = 0; i < X.rows(); ++i) mix_row(hash, X, i);
  return hash;
}

std::uint64_t matrix_checksum(const SamplesView& K) {
  std::uint64_t hash = shape_hash(K);
  for (Index i = 0; i < K.rows(); ++i) mix(hash, i, K(i, i));
  for (Index i = 0; i < K.rows(); i += std::max<Index>(1, K.rows() / 64)) mix_row(hash, K, i);
  return hash;
}

TrainingRows make_training_rows(const SamplesView& X, const RowTransform& transform, Precision precision, int threads) {
  if (X.is_sparse()) return precision == Precision::float32 ? copy_sparse_rows<float>(X) : copy_sparse_rows<double>(X);
  return precision == Precision::float32 ? copy_rows<float>(X, transform, threads)
                                         : copy_rows<double>(X, transform, threads);
}

}  // namespace dualkpca
