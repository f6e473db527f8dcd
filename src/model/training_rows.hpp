#pragma once

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

/// Mean of the scaled rows. A shift-invariant kernel does not change when all rows move, but its float32 values get
/// better the nearer the rows are to the origin.
[[nodiscard]] Vector mean_row(const SamplesView& X, const Scaler& scaler);

[[nodiscard]] TrainingRows make_training_rows(const SamplesView& X, const RowTransform& transform, Precision precision,
                                              int threads);

}  // namespace dualkpca
