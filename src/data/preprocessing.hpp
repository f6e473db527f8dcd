#pragma once

#include "dualkpca/data/lagged.hpp"
#include "dualkpca/data/scaler.hpp"

namespace dualkpca {

/// Form in which rows are stored.
struct RowForm {
  Precision precision = Precision::float64;
  bool is_sparse = false;
};

/// Preprocessing of every row, of training and of new data, before the kernel sees it: lags, then scaling, then a
/// shift, then a unit. A sample is a row with the `lags` rows before it.
struct Preprocessing {
  Index lags = 0;
  Scaler scaler{};
  Vector shift{};   ///< one entry per column of a sample, subtracted after scaling; empty for no shift
  double unit = 1;  ///< a power of two that shifted rows are multiplied by, so that float32 can hold their squares
  bool keeps_directions = false;  ///< rows that float32 would turn into zeros are lengthened: their direction matters

  [[nodiscard]] Samples lagged(const SamplesView& X) const { return lag_rows(X, lags); }

  /// Returns samples as the kernel sees them: scaled, shifted, multiplied by the unit and in the given form. The given
  /// samples have their lags already. Sparse rows are neither scaled nor shifted, because that would fill their zeros.
  /// Throws DataError for a value whose square overflows the precision, counting rows from `first_row` + 1.
  [[nodiscard]] Samples rows(const SamplesView& samples, const RowForm& form, int threads = 1,
                             Index first_row = 0) const;
  /// Returns the same, dense and in float64.
  [[nodiscard]] Matrix matrix(const SamplesView& samples, Index first_row = 0) const;

  /// Returns the given rows without scaling, shift and unit, as they were before rows() or matrix().
  [[nodiscard]] Matrix reverted(Matrix rows) const;
  /// Returns the same for sparse rows, in float64 unless the unit is 1: float32 may be too narrow for other units.
  [[nodiscard]] Samples reverted(const Samples& sparse_rows) const;

 private:
  template <class T>
  void fill(const SamplesView& samples, Index first_row, T* out) const;
  template <class T>
  [[nodiscard]] Samples dense_rows(const SamplesView& samples, int threads, Index first_row) const;
};

/// Returns the mean of the scaled rows. With it as the shift, the Gram matrix of a linear kernel is that of centred
/// features.
[[nodiscard]] Vector mean_row(const SamplesView& X, const Scaler& scaler);

}  // namespace dualkpca
