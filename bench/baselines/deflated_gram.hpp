#pragma once

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca::baselines {

/// G - UU' for the scores u_1, u_2, ... of components already found: the Gram matrix of the part of the features that
/// is orthogonal to them. It holds a reference to G.
class DeflatedGram final : public GramOperator {
 public:
  DeflatedGram(const GramOperator& base, Index most) : base_(base), U_(base.size(), most) {}
  /// Adds the scores u = G w / |w| of a direction w that is orthogonal to those before it.
  void deflate(const Vector& u) { U_.col(count_++) = u; }

  [[nodiscard]] Index size() const override { return base_.size(); }
  [[nodiscard]] Precision precision() const override { return base_.precision(); }
  [[nodiscard]] double scale() const override { return base_.scale(); }
  [[nodiscard]] int threads() const override { return base_.threads(); }
  void apply(ConstMatrixRef V, MatrixRef GV) const override;
  [[nodiscard]] Vector diagonal() const override;
  void columns(std::span<const Index> indices, MatrixRef out) const override;
  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override;
  [[nodiscard]] GramCounts counts() const override { return base_.counts(); }
  [[nodiscard]] RoundingErrors rounding(double sum, bool sharp) const override { return base_.rounding(sum, sharp); }
  [[nodiscard]] Vector offdiagonal_sums() const override { return base_.offdiagonal_sums(); }  // G - UU' <= G

 private:
  [[nodiscard]] auto scores() const { return U_.leftCols(count_); }

  const GramOperator& base_;
  Matrix U_;  // n x most; the first count_ columns are in use
  Index count_ = 0;
};

}  // namespace dualkpca::baselines
