#pragma once

#include <cstdint>
#include <string_view>

#include "dualkpca/data/scaler.hpp"
#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// Rule for gamma, the inverse width of the kernel. d is the number of columns and v the variance of all entries of the
/// scaled rows. The medians are over the pairs of a seeded sample of rows; a mean replaces a median that is 0. Kernels
/// poly and sigmoid have no rule median.
///   value      the given number
///   automatic  1/d
///   scale      1/(d v); for laplace and matern 1/sqrt(d v); for laplacian 1/(d sqrt(v))
///   median     1/median |x-y|^2; for laplace and matern 1/median |x-y|; for laplacian 1/median |x-y|_1
enum class GammaRule { value, automatic, scale, median };

/// A number for gamma, or a rule that chooses it.
struct Gamma {
  GammaRule rule = GammaRule::automatic;
  double value = 0;  ///< used by GammaRule::value, > 0

  Gamma() = default;
  Gamma(double v) : rule(GammaRule::value), value(v) {}  // NOLINT: `.gamma = 0.1` is how people write it
  Gamma(GammaRule r) : rule(r) {}                        // NOLINT
};

/// Parses "auto", "scale", "median" or a positive number. Throws InvalidArgument for any other text.
[[nodiscard]] Gamma parse_gamma(std::string_view text);

/// A kernel function and its parameters.
struct KernelParams {
  KernelName name = KernelName::rbf;  ///< kernel function k(x, y)
  Gamma gamma{};                      ///< inverse width; automatic is 1/n_features, as in scikit-learn
  int degree = 3;                     ///< degree of poly, >= 1
  double coef0 = 1;                   ///< constant of poly and sigmoid

  /// Returns true if the kernel matrix is positive semi-definite for all rows. This does not hold for sigmoid and for
  /// poly with a negative coef0, and it is not known of a precomputed matrix.
  [[nodiscard]] bool is_positive_semidefinite() const;
  /// Throws InvalidArgument naming field, value and range.
  void validate() const;
};

/// Returns the number that params.gamma stands for, given the rows of X and their scaling. Cost: two passes over the
/// data (scale), 1000^2/2 distances (median). Throws DataError if the rule gives no number: all rows
/// are equal, or the number is beyond the range of float64.
[[nodiscard]] double resolve_gamma(const KernelParams& params, const SamplesView& X, const Scaler& scaler,
                                   std::uint64_t seed);

}  // namespace dualkpca
