#pragma once

#include <cstdint>
#include <string_view>

#include "dualkpca/data/scaler.hpp"
#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// How gamma is chosen, by v, the variance of all entries of X, or by the median over the pairs of a seeded sample of
/// rows. value: as given; automatic: 1/d; scale: 1/(d v), for laplace and matern 1/sqrt(d v), for laplacian
/// 1/(d sqrt(v)); median: 1/median |x-y|^2, for laplace and matern 1/median |x-y|, for laplacian 1/median |x-y|_1.
enum class GammaRule { value, automatic, scale, median };

struct Gamma {
  GammaRule rule = GammaRule::automatic;
  double value = 0;  ///< used by GammaRule::value, > 0

  Gamma() = default;
  Gamma(double v) : rule(GammaRule::value), value(v) {}  // NOLINT: `.gamma = 0.1` is how people write it
  Gamma(GammaRule r) : rule(r) {}                        // NOLINT
};

/// "auto", "scale", "median" or a positive number. Throws InvalidArgument.
[[nodiscard]] Gamma parse_gamma(std::string_view text);

struct KernelParams {
  KernelName name = KernelName::rbf;  ///< k(x, y)
  Gamma gamma{};                      ///< width; auto is 1/n_features as in scikit-learn
  int degree = 3;                     ///< of poly, >= 1
  double coef0 = 1;                   ///< of poly and sigmoid

  /// True if the kernel matrix of any rows is: not of sigmoid, of poly with a negative coef0, or of a given matrix.
  [[nodiscard]] bool is_positive_semidefinite() const;
  /// Throws InvalidArgument naming field, value and range.
  void validate() const;
};

/// The number behind params.gamma for the rows of X, scaled. Cost: two passes over the data (scale), 1000^2/2 distances
/// (median). Throws DataError if the rule has no answer, because all rows are equal.
[[nodiscard]] double resolve_gamma(const KernelParams& params, const SamplesView& X, const Scaler& scaler,
                                   std::uint64_t seed);

}  // namespace dualkpca
