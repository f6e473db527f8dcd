#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/types.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// Method of the inverse transform, which computes pre-images: rows whose features lie near the points that given
/// scores describe (docs/math.md, "Pre-images").
///   ridge        kernel ridge regression from scores to rows, for every kernel
///   fixed_point  iteration for the row whose features are nearest to the point, for rbf, laplace and matern
///   distance     least squares on the distances to ten training rows, for rbf and laplace
///   linear       exact, for kernel linear
///   automatic    linear for kernel linear, else ridge
enum class PreimageMethod { automatic, ridge, fixed_point, distance, linear };

/// Weights of the training rows in the ridge regression.
///   none       equal weights
///   huber      smaller weights for rows with a large residual of the ridge regression
///   huber_spe  these weights, times smaller ones for rows far from the span of the components in feature space
///   dual       weights of the rows in the dual solution, |z_i| / |y_i| (see ExtremeRow)
///   density    smaller weights for rows with few rows near them, for kernels of the distance
///   automatic  none; after a fit with loss huber density, or huber if the kernel is not one of the distance
enum class PreimageWeights { automatic, none, huber, huber_spe, dual, density };

/// Program whose numbers the ridge regression reproduces.
///   none     no other program
///   sklearn  KernelPCA(fit_inverse_transform=True) of scikit-learn, which uses the kernel of the fit between scores,
///            regularisation strength 1 by default, and no mean
///   paper    the same for the scores of the paper's programs, G H
enum class PreimageCompatibility { none, sklearn, paper };

[[nodiscard]] std::string_view to_string(PreimageMethod method);
[[nodiscard]] std::string_view to_string(PreimageWeights weights);
[[nodiscard]] std::string_view to_string(PreimageCompatibility compatibility);
/// These throw InvalidArgument listing the accepted names.
[[nodiscard]] PreimageMethod parse_preimage_method(std::string_view name);
[[nodiscard]] PreimageWeights parse_preimage_weights(std::string_view name);
[[nodiscard]] PreimageCompatibility parse_preimage_compatibility(std::string_view name);

/// Parameters of KernelPCA::fit_inverse(). All but the method belong to the ridge regression.
struct PreimageParams {
  static constexpr Index default_centers = 2000;

  PreimageMethod method = PreimageMethod::automatic;
  std::optional<double> gamma{};    ///< inverse width of its rbf kernel between scores; unset: by leave-one-out
  std::optional<double> alpha{};    ///< regularisation strength; unset: by leave-one-out
  Index centers = default_centers;  ///< largest number of training rows that it uses as centres, >= 1
  PreimageWeights weights = PreimageWeights::automatic;
  PreimageCompatibility compatibility = PreimageCompatibility::none;
  /// Standard deviation of the noise on new rows, in units of the scaled columns. If it is not 0, the regression also
  /// learns from the scores of noisy copies of the training rows.
  double noise = 0;
  std::uint64_t seed = 0;  ///< seed of that noise and of the samples of rows

  /// Throws InvalidArgument naming the field, its value and its range, or what does not go together with the fit.
  void validate(const KernelPCAParams& fit) const;
};

/// Report of KernelPCA::fit_inverse(). The optional fields belong to the ridge regression.
struct PreimageReport {
  PreimageMethod method = PreimageMethod::ridge;  ///< method, never automatic
  std::string reason{};                           ///< reason why automatic chose it
  std::optional<double> gamma{};                  ///< inverse width of the kernel between scores
  std::optional<double> alpha{};                  ///< regularisation strength
  std::optional<Index> centers{};                 ///< number of centres
  std::optional<double> loo_error{};         ///< root mean square error of a left-out entry, in units of scaled columns
  std::optional<PreimageWeights> weights{};  ///< weights of the rows, never automatic
  std::optional<Index> weighted_rows{};      ///< number of rows with a weight below a half
  double noise = 0;                          ///< noise as it was given
  bool is_noise_aware = false;               ///< learnt from noisy copies, because that gave smaller errors on them
  PreimageCompatibility compatibility = PreimageCompatibility::none;
  std::vector<std::string> notes{};  ///< parameters that had no effect
  double seconds = 0;
};

}  // namespace dualkpca
