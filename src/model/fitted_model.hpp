#pragma once

#include <memory>

#include "dualkpca/data/scaler.hpp"
#include "dualkpca/model/fit_report.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// Training rows as the kernel sees them: scaled, shifted, in the precision of G. Owned or mapped from a model file.
struct TrainingRows {
  std::shared_ptr<const void> memory{};
  Precision precision = Precision::float32;
  const void* data = nullptr;  ///< row-major, n x d, no padding; null for a precomputed kernel
  Index rows = 0;
  Index cols = 0;

  template <class T>
  [[nodiscard]] DenseRows<T> view() const {
    return {static_cast<const T*>(data), rows, cols, cols};
  }
};

/// Everything fit() learns; what a model file holds.
struct FittedModel {
  FitReport report{};
  Scaler scaler{};
  Vector shift{};  ///< d entries subtracted after scaling (kernels of x - y, and linear if centred), else empty
  TrainingRows rows{};
  Matrix H{};              ///< n x s dual variables
  Matrix rotation{};       ///< s x s, S^{-1/2} R: A = H * rotation are the coefficients of the ordered directions
  Vector offset{};         ///< s, what centring subtracts from k_x' J A; zero if not centred
  double kernel_mean = 0;  ///< mean of all entries of K, 0 if not centred
  Matrix scores{};         ///< n x s training scores
  Matrix
      coefficients{};  ///< n x s, J H rotation (J only if centred): score(x) = k_x' coefficients - offset. Not stored.
};

}  // namespace dualkpca
