#pragma once

#include <vector>

#include "dualkpca/gram/decorator.hpp"

namespace dualkpca {

/// G = (I - 1c') K (I - c1'): the Gram matrix of phi(x_i) - mu for the centre mu = sum of c_l phi(x_l) over a few rows,
/// the landmarks. Centring at mu needs the kernel values of the landmarks only; centring at the mean of all features
/// needs every row (docs/math.md, "A centre on few rows"). G is never formed.
///
/// G is not JKJ, so uncentered() is this operator itself: landmark solvers factor G as it is, and Krylov vectors keep
/// their means.
class ReducedCenterGram final : public GramDecorator {
 public:
  /// A landmark given twice counts with the sum of its weights. Without landmarks mu is the origin and G = K. Throws
  /// InvalidArgument unless there is one weight per landmark and every landmark is the index of a row.
  ReducedCenterGram(std::unique_ptr<GramOperator> base, std::vector<Index> landmarks, Vector weights);
  void apply(ConstMatrixRef V, MatrixRef GV) const override;
  /// Returns the diagonal; values below zero that are rounding errors become zero.
  [[nodiscard]] Vector diagonal() const override;
  void columns(std::span<const Index> indices, MatrixRef out) const override;
  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override;

  [[nodiscard]] RoundingErrors rounding(double sum, bool sharp) const override;
  /// Returns an empty vector: a centre that is not the mean may raise eigenvalues.
  [[nodiscard]] Vector offdiagonal_sums() const override { return {}; }

  /// Returns K c, the values <phi(x_i), mu>, in float64. The first call evaluates n entries of K per landmark.
  [[nodiscard]] const Vector& center_values() const;
  /// Returns c'Kc = |mu|^2, in float64.
  [[nodiscard]] double center_norm() const;
  /// Returns |phibar - mu| for the mean phibar of all features. Costs a product of width 1 if no product was made
  /// before. Its square is a difference of larger numbers: in float32, values below 3e-4 sqrt(mean k_ii) are rounding.
  [[nodiscard]] double center_error() const;
  [[nodiscard]] const std::vector<Index>& landmarks() const { return landmarks_; }
  [[nodiscard]] const Vector& weights() const { return weights_; }

 private:
  [[nodiscard]] Vector difference() const;  // 1/n - c

  std::vector<Index> landmarks_;
  Vector weights_;
  mutable Vector center_values_{};         // empty until the first call of center_values()
  mutable Vector kernel_of_difference_{};  // K (1/n - c), empty until the first product
  mutable Matrix shifted_{};               // operand, kept for the next product
};

}  // namespace dualkpca
