#pragma once

#include <vector>

#include "model/fitted_model.hpp"

namespace dualkpca {

/// What is done to every row, of training and of new data, before the kernel sees it.
struct RowTransform {
  const Scaler& scaler;
  const Vector& shift;  ///< empty for none

  /// out[0..d) = row i of X, scaled and shifted. Throws DataError, counting rows from `first` + 1, for a value whose
  /// square overflows T.
  template <class T>
  void apply(const SamplesView& X, Index i, Index first, double* scratch, T* out) const;
};

/// Rows with the entries that are not zero, in the precision of G.
template <class T>
struct CsrBlock {
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> columns{};
  std::vector<T> values{};

  CsrBlock() = default;
  /// Of rows of X, dense or sparse. Throws DataError, counting rows from `first` + 1, as RowTransform does.
  CsrBlock(const SamplesView& X, Index first);
  [[nodiscard]] SparseRows<T> view(Index cols) const {
    return {offsets.data(), columns.data(), values.data(), static_cast<Index>(offsets.size()) - 1, cols};
  }
};

/// Mean of the scaled rows. A shift-invariant kernel does not change when all rows move, but its float32 values get
/// better the nearer the rows are to the origin.
[[nodiscard]] Vector mean_row(const SamplesView& X, const Scaler& scaler);

/// Sparse rows stay sparse; they must come without scaling and shift.
[[nodiscard]] TrainingRows make_training_rows(const SamplesView& X, const RowTransform& transform, Precision precision,
                                              int threads);

/// Dense rows in float64.
[[nodiscard]] Matrix widened(const TrainingRows& rows);

/// The given rows alone, in float64.
[[nodiscard]] TrainingRows pick_training_rows(const SamplesView& X, const std::vector<Index>& indices,
                                              const RowTransform& transform);

/// The given ones of the rows, as they are.
[[nodiscard]] TrainingRows pick_rows(const TrainingRows& rows, const std::vector<Index>& indices);

/// Of every value of X, dense and sparse alike.
[[nodiscard]] std::uint64_t checksum(const SamplesView& X);
/// Of a kernel matrix, from its diagonal and some of its rows: all of them would take as long as a product.
[[nodiscard]] std::uint64_t matrix_checksum(const SamplesView& K);

}  // namespace dualkpca
