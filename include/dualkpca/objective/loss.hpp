#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// square: kernel PCA. huber: robust. epsilon_insensitive: sparse.
enum class LossName { square, huber, epsilon_insensitive };
[[nodiscard]] std::string_view to_string(LossName name);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] LossName parse_loss(std::string_view name);

/// What a loss acts on: every row of the scores, every entry, or all of them at once.
enum class Norm { rows, entries, frobenius };
[[nodiscard]] std::string_view to_string(Norm norm);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] Norm parse_norm(std::string_view name);

/// The loss as a user asks for it. With none of the numbers given, huber takes default_kappa_ratio and
/// epsilon_insensitive default_sparsity.
struct LossParams {
  LossName name = LossName::square;
  Norm norm = Norm::rows;
  std::optional<double> kappa{};        ///< of huber: radius of the dual ball, > 0
  std::optional<double> kappa_ratio{};  ///< of huber: kappa as a share of kappa_max, in (0, 1]
  std::optional<double> epsilon{};      ///< of epsilon_insensitive: width of the insensitive ball, > 0
  std::optional<double> sparsity{};     ///< of epsilon_insensitive: share of rows or entries to be zero, in (0, 1)

  static constexpr double default_kappa_ratio = 0.05;  // docs/measurements.md, "robust"
  static constexpr double default_sparsity = 0.5;

  /// kappa as a share of kappa_max, where kappa itself is not given.
  [[nodiscard]] double share_of_kappa_max() const { return kappa_ratio.value_or(default_kappa_ratio); }
  /// Throws InvalidArgument naming field, value and range.
  void validate() const;
};

/// A loss F = 1/2 |.|^2 infconv Psi with its number known (Table 1 of the paper). With t the size of a row, of an entry
/// or of everything, as the norm says, F is the sum over all of
///   huber:                t^2/2 up to kappa, then kappa t - kappa^2/2;  Psi* is 0 up to kappa, then infinite
///   epsilon_insensitive:  max(0, t - epsilon)^2/2;                      Psi* is epsilon t
/// and t^2/2 for square, where Psi* = 0.
struct Loss {
  LossName name = LossName::square;
  Norm norm = Norm::rows;
  double parameter = 0;  ///< kappa or epsilon

  [[nodiscard]] double value(const Matrix& Y) const;      ///< F(Y)
  [[nodiscard]] double conjugate(const Matrix& H) const;  ///< Psi*(H); an H above kappa by rounding alone is let pass
  /// prox of Psi* = gradient of F: clips to kappa, or shrinks by epsilon; what is below epsilon becomes exactly zero.
  [[nodiscard]] Matrix prox(const Matrix& Y) const;
};

/// t of every row, of every entry, or of everything.
[[nodiscard]] std::vector<double> sizes_of(const Matrix& H, Norm norm);

/// t of the largest row, the largest entry or of everything: kappa_max at the square-loss solution.
[[nodiscard]] double largest(const Matrix& H, Norm norm);

/// Share of zero rows or zero entries. Frobenius: 0 or 1.
[[nodiscard]] double zero_share(const Matrix& H, Norm norm);

}  // namespace dualkpca
