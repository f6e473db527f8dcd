#pragma once

#include <memory>
#include <utility>

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

/// Base of operators that change the matrix of another operator, which they own. Size, precision, scale, threads,
/// counts and bounds are those of the wrapped operator.
class GramDecorator : public GramOperator {
 public:
  explicit GramDecorator(std::unique_ptr<GramOperator> base) : base_(std::move(base)) {}
  [[nodiscard]] Index size() const override { return base_->size(); }
  [[nodiscard]] Precision precision() const override { return base_->precision(); }
  [[nodiscard]] double scale() const override { return base_->scale(); }
  [[nodiscard]] int threads() const override { return base_->threads(); }
  [[nodiscard]] GramCounts counts() const override { return base_->counts(); }
  [[nodiscard]] RoundingErrors rounding(double sum, bool sharp) const override { return base_->rounding(sum, sharp); }
  [[nodiscard]] Vector offdiagonal_sums() const override { return base_->offdiagonal_sums(); }

 protected:
  [[nodiscard]] const GramOperator& base() const { return *base_; }

 private:
  std::unique_ptr<GramOperator> base_;
};

}  // namespace dualkpca
