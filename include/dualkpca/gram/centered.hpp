#pragma once

#include "dualkpca/gram/decorator.hpp"

namespace dualkpca {

/// Gram matrix G = J K J of centred features, where J = I - 11'/n and K is the wrapped operator. It is never formed.
/// The row sums K 1 come from one more column of the first product.
class CenteredGram final : public GramDecorator {
 public:
  using GramDecorator::GramDecorator;
  void apply(ConstMatrixRef V, MatrixRef GV) const override;
  [[nodiscard]] Vector diagonal() const override;
  void columns(std::span<const Index> indices, MatrixRef out) const override;
  /// Centres with row means that have the precision of the products.
  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override;
  [[nodiscard]] const GramOperator& uncentered() const override { return base(); }

  /// Returns m = K 1 / n, the mean of every row of K. Costs a product of width 1 if none was made before.
  [[nodiscard]] const Vector& row_means() const;

 private:
  mutable Vector row_means_{};  // empty until the first product
  mutable Matrix centred_{};    // centred operand; its memory is kept for the next product
};

}  // namespace dualkpca
