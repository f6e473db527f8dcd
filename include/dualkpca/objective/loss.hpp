#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// The loss says how the scores of the training rows are added up to the quantity that a fit makes large. square adds
/// their squares, which is kernel PCA. huber gives large scores less weight, which makes the fit robust.
/// epsilon_insensitive ignores small scores, which makes it sparse: many rows then have no part in the solution.
enum class LossName { square, huber, epsilon_insensitive };
[[nodiscard]] std::string_view to_string(LossName name);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] LossName parse_loss(std::string_view name);

/// Size that the loss looks at: that of each row of scores, of each entry, or of all scores together.
enum class Norm { rows, entries, frobenius };
[[nodiscard]] std::string_view to_string(Norm norm);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] Norm parse_norm(std::string_view name);

/// The loss as a user asks for it. At most one hyperparameter may be given. Without one, huber uses default_kappa_ratio
/// and epsilon_insensitive uses default_sparsity; with norm frobenius the latter needs epsilon.
/// kappa_max is the largest size (see Norm) in the solution for the square loss: with that kappa, huber clips nothing.
struct LossParams {
  LossName name = LossName::square;
  Norm norm = Norm::rows;
  std::optional<double> kappa{};        ///< huber: largest size in the dual variables, > 0
  std::optional<double> kappa_ratio{};  ///< huber: kappa as a share of kappa_max, in (0, 1]
  std::optional<double> epsilon{};      ///< epsilon_insensitive: size up to which scores are ignored, > 0
  std::optional<double> sparsity{};     ///< epsilon_insensitive: share of rows or entries to become zero, in (0, 1)

  static constexpr double default_kappa_ratio = 0.05;  // docs/measurements.md, "robust"
  static constexpr double default_sparsity = 0.5;

  /// Returns kappa as a share of kappa_max, for a loss whose kappa is not given.
  [[nodiscard]] double share_of_kappa_max() const { return kappa_ratio.value_or(default_kappa_ratio); }
  /// Throws InvalidArgument naming field, value and range.
  void validate() const;
};

/// A loss F = 1/2 |.|^2 infconv Psi with a known hyperparameter (Table 1 of the paper). Let t be the size of a row, of
/// an entry or of everything, depending on the norm. F is the sum over all t of
///   huber:                t^2/2 up to kappa, then kappa t - kappa^2/2;  Psi* is 0 up to kappa, then infinite
///   epsilon_insensitive:  max(0, t - epsilon)^2/2;                      Psi* is epsilon t
/// and t^2/2 for square, where Psi* = 0.
struct Loss {
  LossName name = LossName::square;
  Norm norm = Norm::rows;
  double parameter = 0;  ///< kappa or epsilon; unused by square

  [[nodiscard]] double value(const Matrix& Y) const;      ///< returns F(Y)
  [[nodiscard]] double conjugate(const Matrix& H) const;  ///< returns Psi*(H); tolerates an H above kappa by rounding
  /// Returns the proximal operator of Psi* at Y, which is the gradient of F: clips to kappa, or shrinks by epsilon.
  /// Sizes up to epsilon become exactly zero.
  [[nodiscard]] Matrix prox(const Matrix& Y) const;
};

/// Returns the size of each row, of each entry, or of the whole matrix.
[[nodiscard]] std::vector<double> sizes_of(const Matrix& H, Norm norm);

/// Returns the largest of these sizes. For the solution of the square loss it is kappa_max.
[[nodiscard]] double largest(const Matrix& H, Norm norm);

/// Returns the share of zero rows or zero entries; for norm frobenius 0 or 1.
[[nodiscard]] double zero_share(const Matrix& H, Norm norm);

}  // namespace dualkpca
