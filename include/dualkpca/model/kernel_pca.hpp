#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/data/samples.hpp"
#include "dualkpca/model/check.hpp"
#include "dualkpca/model/fit_report.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"
#include "dualkpca/model/monitor.hpp"
#include "dualkpca/model/preimage.hpp"

namespace dualkpca {

struct FittedModel;
struct Preimage;

/// What fitting X will hold in memory; resolves precision and budget as fit() does. Throws nothing if the
/// plan exceeds its budget (fit() does): see require_fits().
[[nodiscard]] MemoryPlan plan_fit(const KernelPCAParams& params, const SamplesView& X);

/// Kernel PCA through its dual (Tonin, Lambert, Patrinos, Suykens, ICML 2023). Samples are rows.
/// Copies are cheap: fitted state is immutable and shared. Const methods may be called from several threads at once.
class KernelPCA {
 public:
  explicit KernelPCA(KernelPCAParams params = {});

  /// Learns the components of X (n x d, dense or sparse; with kernel precomputed the n x n kernel matrix). Bad input
  /// throws (InvalidArgument, DataError, ResourceError); slow convergence does not: the best point is kept, see
  /// report().status. `ids`: of the rows, so that the report can name them; none, or one for each. With lags the first
  /// of them only precede others, here and in every method that takes rows: n rows are n - lags samples.
  KernelPCA& fit(const SamplesView& X, const Observer& observe = {}, std::span<const std::string> ids = {});

  /// Scores of new rows, dense or sparse whatever X was, m x s (with kernel precomputed X is m x n: kernel values
  /// against the training rows). Throws NotFitted, or DataError for a wrong number of columns or a value that is not
  /// finite. `threads` 0: all.
  [[nodiscard]] Matrix transform(const SamplesView& X, int threads = 0) const;

  /// Learns the way back from scores to rows from the rows that the model holds, and keeps it with the model in place
  /// of an earlier one. Throws InvalidArgument where kernel, rows and method do not go together: there is none of a
  /// precomputed kernel or of sparse rows; Interrupted if the observer stops it, and then the model is as it was. Cost
  /// of a ridge: some seconds for 1000 rows and up, n centers^2 multiply-adds.
  KernelPCA& fit_inverse(const PreimageParams& params = {}, int threads = 0, const Observer& observe = {});

  /// The same from given rows, which should be the training rows: for models that hold only some of those.
  KernelPCA& fit_inverse(const SamplesView& X, const PreimageParams& params, int threads = 0,
                         const Observer& observe = {});

  /// Rows (p x d) of scores (p x s), in the units of the training rows; with lags the newest row of each sample. Throws
  /// NotFitted without fit_inverse(), DataError for a wrong number of columns or a value that is not finite.
  [[nodiscard]] Matrix inverse_transform(const SamplesView& scores, int threads = 0) const;

  /// Rows with what the components do not describe taken away: transform(), then inverse_transform(), which may begin
  /// at the rows themselves. One row for every sample. Noise on the rows moves their scores: see noise_level().
  [[nodiscard]] Matrix denoise(const SamplesView& X, int threads = 0) const;

  /// Estimated standard deviation of independent noise on the rows of X that the training rows do not have, in units of
  /// the scaled columns: what PreimageParams::noise wants to be. Better of many rows; 400 are looked at.
  [[nodiscard]] double noise_level(const SamplesView& X) const;

  /// T2 and SPE of new rows: how far out they are along the components, and how far from them. Throws as transform(),
  /// and InvalidArgument for kernel precomputed and for model files of the first version.
  [[nodiscard]] RowStatistics monitor(const SamplesView& X, int threads = 0) const;

  /// How the statistics of every row of X, less those of an ordinary training row near it, come from the columns:
  /// integrated gradients (docs/math.md#contributions), which add up to that difference. Some 150 times the work of
  /// monitor(). Throws as monitor(), and InvalidArgument for kernels without a gradient and for models of sparse rows.
  [[nodiscard]] Contributions contributions(const SamplesView& X, int threads = 0) const;

  /// Bounds the error of the stored solution from scratch: a fresh Gram matrix of X, which must be the training data, a
  /// product at H and a certificate, whatever solver made the model. Throws DataError if X are other data.
  [[nodiscard]] CheckReport check(const SamplesView& X, const CheckParams& params = {},
                                  const Observer& observe = {}) const;

  [[nodiscard]] bool is_fitted() const { return fitted_ != nullptr; }
  [[nodiscard]] const KernelPCAParams& params() const { return params_; }
  /// All of these throw NotFitted.
  [[nodiscard]] const FitReport& report() const;
  /// Training scores Y R, n x s. A landmark or sparse model that was loaded has none: transform() gives them.
  [[nodiscard]] const Matrix& scores() const;
  /// The training rows that the model holds, in the units they came in: all of them, the landmarks, or those of a
  /// sparse model's support and centre; with lags the samples, and none of a precomputed kernel.
  [[nodiscard]] Samples training_rows() const;
  /// Which of the training rows those are, from 0 and in their order.
  [[nodiscard]] std::vector<Index> training_row_indices() const;
  /// H, n x s. Of a landmark model: its scores, which are H at an optimum.
  [[nodiscard]] Matrix dual_variables() const;
  /// Training rows whose dual variables are not all zero, ascending; of a landmark model, the landmarks.
  [[nodiscard]] std::vector<Index> support() const;
  /// T2 and SPE of the training rows. Empty of a landmark or sparse model that was loaded, SPE of a precomputed kernel.
  [[nodiscard]] RowStatistics training_statistics() const;
  /// n weights |z_i| / |y_i| of the rows, 1 where the loss has left a row alone; empty for the square loss.
  [[nodiscard]] Vector row_weights() const;
  /// Of T2 and SPE, if params().monitor asked for them.
  [[nodiscard]] const std::optional<Limits>& limits() const { return report().limits; }
  [[nodiscard]] const Vector& eigenvalues() const { return report().eigenvalues; }
  /// Of fit_inverse(); null if that was not called.
  [[nodiscard]] const PreimageReport* inverse_report() const;
  /// Of its ridge: what each centre adds to a row, centres x d; empty of other methods.
  [[nodiscard]] Matrix inverse_coefficients() const;

  /// One file in the safetensors layout, replaced as a whole or not at all. Throws DataError or ResourceError.
  void save(const std::string& path) const;
  /// Throws DataError naming the file if it is no model, truncated, damaged or from a later format.
  [[nodiscard]] static KernelPCA load(const std::string& path);
  /// The bytes of that file, and a model of them.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static KernelPCA from_bytes(std::string_view bytes);

 private:
  KernelPCA(KernelPCAParams params, std::shared_ptr<const FittedModel> fitted);
  [[nodiscard]] const FittedModel& fitted() const;
  void keep_inverse(Preimage preimage);
  KernelPCAParams params_;
  std::shared_ptr<const FittedModel> fitted_;
};

}  // namespace dualkpca
