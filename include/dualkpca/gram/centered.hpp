#pragma once

#include <memory>

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

/// G = J K J with J = I - 11'/n: the Gram matrix of centred features, never formed. K 1 rides along as one more column
/// of the first product.
class CenteredGram final : public GramOperator {
 public:
  explicit CenteredGram(std::unique_ptr<GramOperator> base);
  [[nodiscard]] Index size() const override { return base_->size(); }
  [[nodiscard]] Precision precision() const override { return base_->precision(); }
  [[nodiscard]] double scale() const override { return base_->scale(); }
  [[nodiscard]] int threads() const override { return base_->threads(); }
  void apply(ConstMatrixRef V, MatrixRef GV) const override;
  [[nodiscard]] Vector diagonal() const override;
  void columns(std::span<const Index> indices, MatrixRef out) const override;
  /// With row means in the precision of the products.
  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override;
  [[nodiscard]] const GramOperator& uncentered() const override { return *base_; }
  [[nodiscard]] GramCounts counts() const override { return base_->counts(); }

  /// m = K 1 / n, the mean of every row of K. Costs a product of width 1 if none was made before.
  [[nodiscard]] const Vector& row_means() const;

 private:
  std::unique_ptr<GramOperator> base_;
  mutable Vector row_means_{};  // empty until the first product
  mutable Matrix centred_{};    // operand, kept for the next product
};

}  // namespace dualkpca
