#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "data/preprocessing.hpp"
#include "dualkpca/model/fit_report.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

struct Preimage;

/// Training rows that a model holds.
enum class Holds {
  all,        ///< all of them, or none if the kernel is precomputed
  landmarks,  ///< the rows that a landmark solution is expanded on; there are no dual variables
  support,    ///< the rows of the support and of the centre of a sparse solution
};

/// True if a fit gives a model that holds its support and its centre only. A precomputed kernel needs values against
/// all rows later, so its model keeps everything.
[[nodiscard]] inline bool keeps_support_only(const KernelPCAParams& params) {
  return params.loss.name == LossName::epsilon_insensitive && params.loss.norm != Norm::frobenius &&
         params.kernel.name != KernelName::precomputed;
}

/// Everything that fit() learns and a model file stores. Options that depend on the data are resolved here.
struct FittedModel {
  ResolvedKernel kernel{};                   ///< as `rows` need it: its gamma is that of rows in units of input.unit
  bool centered = true;                      ///< the features are centred
  Precision precision = Precision::float32;  ///< precision of `rows` and of kernel values with them
  Preprocessing input{};
  Loss loss{};
  Index n_samples = 0;   ///< n: training rows, without those that only precede others as lags
  Index n_features = 0;  ///< columns of the data; n if the kernel is precomputed

  Holds holds = Holds::all;
  std::vector<Index> held{};        ///< indices of `rows` among the training rows; empty if the model holds all
  Samples rows{};                   ///< m x width(), as the kernel sees them; empty if the kernel is precomputed
  std::uint64_t data_checksum = 0;  ///< checksum of training data that the model does not hold; 0 in early files

  Matrix H{};              ///< dual variables, n x s, or those of the held rows alone; empty with landmarks
  Matrix rotation{};       ///< s x s, S^{-1/2} R: A = H * rotation are the coefficients of the ordered directions
  Matrix coefficients{};   ///< score(x) = k_x' coefficients - offset, k_x with the held rows (all rows if precomputed)
  Vector offset{};         ///< s numbers that centring subtracts from k_x' coefficients; zero if not centred
  Vector center{};         ///< weights of the held rows in the centre; empty if there is none or it is the mean feature
  double kernel_mean = 0;  ///< |centre|^2; if the centre is the mean feature, the mean of all entries of K
  Matrix scores{};         ///< n x s training scores; a model that holds few rows has them after fit() only
  Vector weights{};        ///< row weights |z_i| / |y_i| of all or of the held rows; empty for the square loss

  // Statistics of the training scores, and distances of rows from the span of the components: for monitoring and
  // pre-images.
  Vector score_mean{};        ///< s
  Matrix score_covariance{};  ///< s x s
  Vector training_spe{};      ///< n, after fit() only
  Vector row_spe{};           ///< SPE of the held rows

  std::shared_ptr<const Preimage> preimage{};  ///< the inverse transform, if it has been learnt
  FitReport report{};                          ///< results and figures for the user

  /// The kernel as the user knows it. Its gamma is that of the scaled data, before the unit that keeps rows within the
  /// range of float32. Reports, fits with the same gamma and kernels between other rows than `rows` need this one.
  [[nodiscard]] ResolvedKernel user_kernel() const { return in_unit(kernel, 1 / input.unit); }
  [[nodiscard]] double user_gamma() const { return user_kernel().gamma; }

  [[nodiscard]] Index n_components() const { return coefficients.cols(); }
  /// Columns of the rows that the kernel sees.
  [[nodiscard]] Index width() const { return n_features * (input.lags + 1); }
  [[nodiscard]] RowForm row_form() const { return {precision, rows.view().is_sparse()}; }
  /// Indices of the held training rows, in the order of `rows`.
  [[nodiscard]] std::vector<Index> held_indices() const {
    if (holds != Holds::all) return held;
    std::vector<Index> all(static_cast<std::size_t>(n_samples));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }
};

}  // namespace dualkpca
