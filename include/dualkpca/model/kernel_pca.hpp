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

/// Returns the memory that a fit to X will hold, with precision and budget chosen as in fit(). It does not throw if the
/// plan exceeds its budget, as fit() does: see require_fits().
[[nodiscard]] MemoryPlan plan_fit(const KernelPCAParams& params, const SamplesView& X);

/// Kernel PCA by its dual problem (Tonin, Lambert, Patrinos, Suykens, ICML 2023): PCA of the rows in the feature space
/// of a kernel. Rows are samples. n training rows of d columns give s components, and a score is the coordinate of a
/// row along a component. The dual is an optimisation problem over an n x s matrix H, with one row of dual variables
/// for each training row. docs/glossary.md explains the words. Copies are cheap: the fitted state is immutable and
/// shared. Const methods may be called from several threads at once.
class KernelPCA {
 public:
  explicit KernelPCA(KernelPCAParams params = {});

  /// Learns the components of X: n x d, dense or sparse, or with kernel precomputed the n x n kernel matrix. Bad input
  /// throws InvalidArgument, DataError or ResourceError. Slow convergence does not throw: the best point is kept, and
  /// report().status says so. `ids`: names of the rows for the report; none, or one for each row. With lags, the first
  /// `lags` rows only precede other rows, so n rows are n - lags samples. This also holds for every other method that
  /// takes rows.
  KernelPCA& fit(const SamplesView& X, const Observer& observe = {}, std::span<const std::string> ids = {});

  /// Returns the scores of new rows, m x s. X may be dense or sparse, whatever the training rows were. With kernel
  /// precomputed X is m x n, the kernel values against the training rows. `threads` 0: all processors. Throws
  /// NotFitted, and DataError for a wrong number of columns or a value that is not finite.
  [[nodiscard]] Matrix transform(const SamplesView& X, int threads = 0) const;

  /// Learns the inverse transform, from scores to rows, and keeps it with the model in place of an earlier one. It
  /// learns from the rows that the model stores. Throws InvalidArgument if kernel, rows and method do not go together;
  /// a precomputed kernel and sparse rows have no inverse transform. Throws Interrupted if the observer stops it, and
  /// then leaves the model as it was. Method ridge takes n centers^2 multiply-adds, some seconds from 1000 rows on.
  KernelPCA& fit_inverse(const PreimageParams& params = {}, int threads = 0, const Observer& observe = {});

  /// Learns the same from given rows, which should be the training rows: for models that store only some of them.
  KernelPCA& fit_inverse(const SamplesView& X, const PreimageParams& params, int threads = 0,
                         const Observer& observe = {});

  /// Returns the pre-images of scores (p x s): p x d rows in the units of the training rows. With lags, these are the
  /// newest rows of the samples. Throws NotFitted without fit_inverse(), and DataError for a wrong number of columns or
  /// a value that is not finite.
  [[nodiscard]] Matrix inverse_transform(const SamplesView& scores, int threads = 0) const;

  /// Projects the rows of X onto the components and maps them back to input space: transform(), then
  /// inverse_transform(). Method fixed_point also starts its iteration at the rows themselves. Returns one row for
  /// every sample. Noise on the rows moves their scores: see noise_level().
  [[nodiscard]] Matrix denoise(const SamplesView& X, int threads = 0) const;

  /// Estimates the standard deviation of independent noise on the rows of X that the training rows do not have, in
  /// units of the scaled columns. It is a value for PreimageParams::noise. The estimate uses at most 400 rows, and many
  /// rows make it better.
  [[nodiscard]] double noise_level(const SamplesView& X) const;

  /// Returns T2 and SPE of new rows: their squared distances from the centre within the components, and from the span
  /// of the components (see RowStatistics). Throws as transform() does, and InvalidArgument for kernel precomputed and
  /// for model files of the first version.
  [[nodiscard]] RowStatistics monitor(const SamplesView& X, int threads = 0) const;

  /// Returns how much each column of a row adds to its T2 and SPE, compared with an ordinary training row near it. The
  /// contributions are integrated gradients (docs/math.md#contributions), which add up to the difference between the
  /// two rows. They take some 150 times the work of monitor(). Throws as monitor() does, and InvalidArgument for
  /// kernels without a gradient and for models of sparse rows.
  [[nodiscard]] Contributions contributions(const SamplesView& X, int threads = 0) const;

  /// Checks the error of the stored solution from scratch, whatever solver made the model. It evaluates the Gram matrix
  /// of X, which must be the training data, and multiplies it by H. For the square loss it then bounds the error, with
  /// failure probability at most 1e-6 over random probes. Throws DataError if X are other data.
  [[nodiscard]] CheckReport check(const SamplesView& X, const CheckParams& params = {},
                                  const Observer& observe = {}) const;

  [[nodiscard]] bool is_fitted() const { return fitted_ != nullptr; }
  [[nodiscard]] const KernelPCAParams& params() const { return params_; }

  // All functions below that are not static throw NotFitted if the model is not fitted.

  /// Returns the report of the fit.
  [[nodiscard]] const FitReport& report() const;
  /// Returns the training scores, n x s. A landmark or sparse model that was loaded from a file has none: use
  /// transform().
  [[nodiscard]] const Matrix& scores() const;
  /// Returns the training rows that the model stores, in their original units: all of them, the landmarks, or those of
  /// the support and the centre of a sparse model. With lags these are samples. A precomputed kernel has none.
  [[nodiscard]] Samples training_rows() const;
  /// Returns the indices of these rows among the training rows, from 0 and in the order of training_rows().
  [[nodiscard]] std::vector<Index> training_row_indices() const;
  /// Returns the dual variables H, n x s. For a landmark model these are its scores, which equal H at an optimum.
  [[nodiscard]] Matrix dual_variables() const;
  /// Returns the indices of the training rows whose dual variables are not all zero, ascending; for a landmark model,
  /// those of the landmarks.
  [[nodiscard]] std::vector<Index> support() const;
  /// Returns T2 and SPE of the training rows. Both are empty for a landmark or sparse model that was loaded from a
  /// file, and SPE is empty for a precomputed kernel.
  [[nodiscard]] RowStatistics training_statistics() const;
  /// Returns the n row weights |z_i| / |y_i|, which are 1 for rows that the loss leaves alone; empty for the square
  /// loss. With a bounded kernel they are no outlier scores (see ExtremeRow).
  [[nodiscard]] Vector row_weights() const;
  /// Returns the limits of T2 and SPE; unset if params().monitor asked for none, or none were found.
  [[nodiscard]] const std::optional<Limits>& limits() const { return report().limits; }
  [[nodiscard]] const Vector& eigenvalues() const { return report().eigenvalues; }
  /// Returns the report of fit_inverse(); null if the model has no inverse transform.
  [[nodiscard]] const PreimageReport* inverse_report() const;
  /// Returns the coefficients of the ridge regression, centres x d, in units of the scaled columns; empty for other
  /// methods.
  [[nodiscard]] Matrix inverse_coefficients() const;

  /// Writes the model to one file in the safetensors layout, which is replaced as a whole or not at all. Throws
  /// DataError or ResourceError.
  void save(const std::string& path) const;
  /// Reads a model. Throws DataError naming the file if it is no model, truncated, damaged or from a later format.
  [[nodiscard]] static KernelPCA load(const std::string& path);
  /// Returns the bytes of the file that save() writes.
  [[nodiscard]] std::string to_bytes() const;
  /// Makes a model of these bytes. Throws as load() does.
  [[nodiscard]] static KernelPCA from_bytes(std::string_view bytes);

 private:
  KernelPCA(KernelPCAParams params, std::shared_ptr<const FittedModel> fitted);
  [[nodiscard]] const FittedModel& fitted() const;
  void keep_inverse(Preimage preimage);
  KernelPCAParams params_;
  std::shared_ptr<const FittedModel> fitted_;
};

}  // namespace dualkpca
