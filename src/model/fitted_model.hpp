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
  Index rows = 0;
  Index cols = 0;
  const void* data = nullptr;             ///< row-major, n x d, no padding, or the entries of sparse rows
  const Index* offsets = nullptr;         ///< of sparse rows, else null
  const std::int32_t* columns = nullptr;  ///< of sparse rows, else null

  [[nodiscard]] bool empty() const { return rows == 0; }  ///< a precomputed kernel has none
  [[nodiscard]] bool is_sparse() const { return offsets != nullptr; }
  template <class T>
  [[nodiscard]] DenseRows<T> dense() const {
    return {static_cast<const T*>(data), rows, cols, cols};
  }
  template <class T>
  [[nodiscard]] SparseRows<T> sparse() const {
    return {offsets, columns, static_cast<const T*>(data), rows, cols};
  }
};

struct Preimage;

/// Everything fit() learns; what a model file holds.
struct FittedModel {
  /// Columns of the rows that the kernel sees.
  [[nodiscard]] Index width() const { return report.n_features * (lags + 1); }

  FitReport report{};
  Scaler scaler{};
  Index lags = 0;
  Vector shift{};  ///< d entries subtracted after scaling (kernels of x - y, and linear if centred), else empty
  TrainingRows rows{};
  Matrix H{};              ///< n x s dual variables; of a sparse model those of the kept rows alone
  Matrix rotation{};       ///< s x s, S^{-1/2} R: A = H * rotation are the coefficients of the ordered directions
  Vector offset{};         ///< s, what centring subtracts from k_x' J A; zero if not centred
  double kernel_mean = 0;  ///< mean of all entries of K, |centre|^2 of a sparse model, 0 if not centred
  Matrix scores{};         ///< n x s training scores
  Matrix coefficients{};  ///< n x s, J H rotation (J only if centred): score(x) = k_x' coefficients - offset. Stored if
                          ///< few.

  /// A landmark model has no H and no rotation: `rows` are the landmarks and `coefficients` belong to them. Its scores
  /// exist after fit() only.
  std::vector<Index> landmarks{};
  std::uint64_t data_checksum = 0;  ///< of the training data, where the model does not hold them; 0 in the first files
  [[nodiscard]] bool is_landmark_model() const { return !landmarks.empty(); }

  /// A sparse model holds the rows in `kept` only, ascending: those of the support and of the centre. `coefficients`
  /// and `center` belong to them. Its scores exist after fit() only.
  bool is_sparse = false;
  std::vector<Index> kept{};
  Vector center{};  ///< weights of the stored rows in the centre, of a landmark model too; empty if that is the mean of
                    ///< all features, or none
  Vector weights{};  ///< n row weights |z_i| / |y_i|, of a sparse model those of the kept rows alone; empty for the
                     ///< square loss

  // Of the training scores and the distances of the rows from the span of the components, for monitoring and
  // pre-images.
  Vector score_mean{};        ///< s
  Matrix score_covariance{};  ///< s x s
  Vector training_spe{};      ///< n, after fit() only
  Vector row_spe{};           ///< of the stored rows

  std::shared_ptr<const Preimage> preimage{};  ///< the way back to rows, if it has been learnt
};

}  // namespace dualkpca
