#pragma once

#include "dualkpca/gram/decorator.hpp"

namespace dualkpca {

/// G = J K J with J = I - 11'/n: the Gram matrix of centred features, never formed. K 1 rides along as one more column
/// of the first product.
class CenteredGram final : public GramDecorator {
 public:
  using GramDecorator::GramDecorator;
  void apply(ConstMatrixRef V, MatrixRef GV) const override;
  [[nodiscard]] Vector diagonal() const override;
  void columns(std::span<const Index> indices, MatrixRef out) const override;
  /// With row means in the precision of the products.
  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override;
  [[nodiscard]] const GramOperator& uncentered() const override { return base(); }

  /// m = K 1 / n, the mean of every row of K. Costs a product of width 1 if none was made before.
  [[nodiscard]] const Vector& row_means() const;

 private:
  mutable Vector row_means_{};  // empty until the first product
  mutable Matrix centred_{};    // operand, kept for the next product
};

}  // namespace dualkpca
