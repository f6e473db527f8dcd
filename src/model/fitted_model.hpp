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

/// Which of the training rows a model holds.
enum class Holds {
  all,        ///< all of them, or none of a precomputed kernel
  landmarks,  ///< the rows that a landmark solution is expanded on; there are no dual variables
  support,    ///< of a sparse solution, the rows of the support and those of the centre
};

/// True if a fit gives a model that holds its support and its centre only. A precomputed kernel needs values against
/// all rows later, so its model keeps everything.
[[nodiscard]] inline bool keeps_support_only(const KernelPCAParams& params) {
  return params.loss.name == LossName::epsilon_insensitive && params.loss.norm != Norm::frobenius &&
         params.kernel.name != KernelName::precomputed;
}

/// Everything fit() learns; what a model file holds. What depends on the data has been resolved here.
struct FittedModel {
  ResolvedKernel kernel{};
  bool centered = true;                      ///< the features are centred
  Precision precision = Precision::float32;  ///< of `rows`, and of kernel values with them
  Preprocessing input{};
  Loss loss{};
  Index n_samples = 0;   ///< n: training rows, without those that only precede others as lags
  Index n_features = 0;  ///< columns of the data; of a precomputed kernel n

  Holds holds = Holds::all;
  std::vector<Index> held{};        ///< indices of `rows` among the training rows; empty if the model holds all
  Samples rows{};                   ///< m x width(), as the kernel sees them; empty if the kernel is precomputed
  std::uint64_t data_checksum = 0;  ///< of the training data, where the model does not hold them; 0 in the first files

  Matrix H{};             ///< dual variables, n x s, or those of the held rows alone; empty with landmarks
  Matrix rotation{};      ///< s x s, S^{-1/2} R: A = H * rotation are the coefficients of the ordered directions
  Matrix coefficients{};  ///< score(x) = k_x' coefficients - offset, k_x of the held rows (all, if precomputed)
  Vector offset{};        ///< s, what centring subtracts from k_x' coefficients; zero if not centred
  Vector center{};  ///< weights of the held rows in the centre; empty if that is the mean of all features, or none
  double kernel_mean = 0;  ///< |centre|^2, which is the mean of all entries of K if the centre is that of all features
  Matrix scores{};         ///< n x s training scores; a model that holds few rows has them after fit() only
  Vector weights{};        ///< row weights |z_i| / |y_i|, of all or of the held rows; empty for the square loss

  // Statistics of the training scores, and distances of rows from the span of the components: for monitoring and
  // pre-images.
  Vector score_mean{};        ///< s
  Matrix score_covariance{};  ///< s x s
  Vector training_spe{};      ///< n, after fit() only
  Vector row_spe{};           ///< of the held rows

  std::shared_ptr<const Preimage> preimage{};  ///< the inverse transform, if it has been learnt
  FitReport report{};                          ///< what a user is told

  [[nodiscard]] Index n_components() const { return coefficients.cols(); }
  /// Columns of the rows that the kernel sees.
  [[nodiscard]] Index width() const { return n_features * (input.lags + 1); }
  [[nodiscard]] RowForm row_form() const { return {precision, rows.view().is_sparse()}; }
  /// Which of the training rows are held, in the order of `rows`.
  [[nodiscard]] std::vector<Index> held_indices() const {
    if (holds != Holds::all) return held;
    std::vector<Index> all(static_cast<std::size_t>(n_samples));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }
};

}  // namespace dualkpca
