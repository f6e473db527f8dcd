#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// How gamma is chosen. value: as given; automatic: 1/d; scale: 1/(d v), v the variance of all entries of X; median:
/// 1/median |x-y|^2 over a seeded sample of rows. laplace takes the square roots: 1/sqrt(d v), 1/median |x-y|.
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
  double coef0 = 1;                   ///< of poly

  /// Throws InvalidArgument naming field, value and range.
  void validate() const;
};

/// Copies row i, as the kernel will see it (scaled), to out[0..d).
using RowReader = std::function<void(Index i, double* out)>;

/// The number behind params.gamma for n x d data. Cost: two passes over the data (scale), 1000^2/2 distances (median).
/// Throws DataError if the rule has no answer, because all rows are equal.
[[nodiscard]] double resolve_gamma(const KernelParams& params, Index n, Index d, const RowReader& row,
                                   std::uint64_t seed);

}  // namespace dualkpca
