#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/types.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// How scores become rows again (docs/math.md, "Pre-images"). ridge: kernel ridge regression from scores to rows, for
/// every kernel; fixed_point: the row whose features are nearest to the scores' point, by iteration, for rbf, laplace
/// and matern; distance: from the distances to ten training rows, for rbf and laplace; linear: exact, for that kernel.
/// automatic: linear if the kernel is, else ridge.
enum class PreimageMethod { automatic, ridge, fixed_point, distance, linear };

/// How much a training row counts in the ridge. none: all alike; huber: less the farther it is from what the ridge says
/// of it; huber_spe: that, times less the farther its features are from the span of the components; dual: as in the
/// dual solution, |z_i| / |y_i|; density: less the fewer rows are near it, for kernels of the distance. automatic: none
/// unless the loss of the fit is huber, else density, or huber for other kernels.
enum class PreimageWeights { automatic, none, huber, huber_spe, dual, density };

/// Whose numbers the ridge shall give. sklearn: those of KernelPCA(fit_inverse_transform=True), where scores meet the
/// kernel of the fit, the ridge is 1 and the mean is lost; paper: the same of the scores of the paper's programs, G H.
enum class PreimageCompatibility { none, sklearn, paper };

[[nodiscard]] std::string_view to_string(PreimageMethod method);
[[nodiscard]] std::string_view to_string(PreimageWeights weights);
[[nodiscard]] std::string_view to_string(PreimageCompatibility compatibility);
/// These throw InvalidArgument listing the accepted names.
[[nodiscard]] PreimageMethod parse_preimage_method(std::string_view name);
[[nodiscard]] PreimageWeights parse_preimage_weights(std::string_view name);
[[nodiscard]] PreimageCompatibility parse_preimage_compatibility(std::string_view name);

struct PreimageParams {
  static constexpr Index default_centers = 2000;

  PreimageMethod method = PreimageMethod::automatic;
  std::optional<double> gamma{};    ///< of the ridge's rbf kernel between scores; unset: by leave-one-out
  std::optional<double> alpha{};    ///< the ridge; unset: by leave-one-out
  Index centers = default_centers;  ///< of the ridge, at most; >= 1
  PreimageWeights weights = PreimageWeights::automatic;
  PreimageCompatibility compatibility = PreimageCompatibility::none;
  double noise = 0;        ///< standard deviation, in units of the scaled data, of noise on the rows whose scores come;
                           ///< the ridge then learns from scores of noisy copies of the training rows
  std::uint64_t seed = 0;  ///< of that noise, and of the rows drawn where there are more than centres

  /// Throws InvalidArgument naming the field, its value and its range, or what does not go together with the fit.
  void validate(const KernelPCAParams& fit) const;
};

/// What was learnt, and what it was chosen by.
struct PreimageReport {
  PreimageMethod method = PreimageMethod::ridge;  ///< never automatic
  std::string reason{};                           ///< why, if it was chosen automatically
  std::optional<double> gamma{};                  ///< of the ridge's kernel
  std::optional<double> alpha{};                  ///< the ridge
  std::optional<Index> centers{};                 ///< of the ridge
  std::optional<double> loo_error{};         ///< root mean square of a left-out entry, in the units of the scaled data
  std::optional<PreimageWeights> weights{};  ///< of the ridge's rows, never automatic; unset for other methods
  std::optional<Index> weighted_rows{};      ///< with a weight below a half
  double noise = 0;                          ///< as given
  bool is_noise_aware = false;               ///< learnt from noisy copies, since that errs less on them
  PreimageCompatibility compatibility = PreimageCompatibility::none;
  std::vector<std::string> notes{};  ///< parameters that had no effect
  double seconds = 0;
};

}  // namespace dualkpca
