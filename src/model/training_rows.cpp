#include "model/training_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {

template <class T>
void RowTransform::apply(const SamplesView& X, Index i, Index first, double* scratch, T* out) const {
  constexpr double largest = precision_of<T> == Precision::float32 ? 1e15 : 1e150;
  X.copy_row(i, scratch);
  scaler.apply(scratch);
  for (Index j = 0; j < X.cols(); ++j) {
    const double value = scratch[j] - (shift.size() > 0 ? shift[j] : 0.0);
    if (!(std::abs(value) < largest))
      throw DataError(fmt::format("row {}, column {} is {:.3g}, too large for {} arithmetic: scale the data{}",
                                  first + i + 1, j + 1, X(i, j), to_string(precision_of<T>),
                                  precision_of<T> == Precision::float32 ? " or use precision float64" : ""));
    out[j] = static_cast<T>(value);
  }
}
template void RowTransform::apply(const SamplesView&, Index, Index, double*, float*) const;
template void RowTransform::apply(const SamplesView&, Index, Index, double*, double*) const;

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
  constexpr Index chunk = 256;
  parallel_for((X.rows() + chunk - 1) / chunk, threads, [&](Index c, int) {
    std::vector<double> scratch(static_cast<std::size_t>(X.cols()));
    for (Index i = c * chunk; i < std::min(X.rows(), (c + 1) * chunk); ++i)
      transform.apply(X, i, 0, scratch.data(), memory->data() + i * X.cols());
  });
  const T* data = memory->data();
  return {.memory = std::move(memory), .precision = precision_of<T>, .data = data, .rows = X.rows(), .cols = X.cols()};
}

}  // namespace

TrainingRows make_training_rows(const SamplesView& X, const RowTransform& transform, Precision precision, int threads) {
  return precision == Precision::float32 ? copy_rows<float>(X, transform, threads)
                                         : copy_rows<double>(X, transform, threads);
}

}  // namespace dualkpca
