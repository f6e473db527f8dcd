#include "dualkpca/gram/decorator.hpp"

#include <gtest/gtest.h>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"

namespace dualkpca::decorator_test {
namespace {

// The operator 2 K.
class Doubled final : public GramDecorator {
 public:
  using GramDecorator::GramDecorator;
  void apply(ConstMatrixRef V, MatrixRef GV) const override {
    base().apply(V, GV);
    GV *= 2;
  }
  [[nodiscard]] Vector diagonal() const override { return 2 * base().diagonal(); }
  void columns(std::span<const Index> indices, MatrixRef out) const override { base().columns(indices, out); }
  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override {
    base().exact_block(rows, columns, out);
  }
};

TEST(GramDecorator, ForwardsWhatItDoesNotChange) {
  const Matrix A = random_normal(7, 7, 1);
  const Matrix K = A * A.transpose();
  std::unique_ptr<GramOperator> base = make_precomputed_gram(K, Precision::float64, 2);
  const GramOperator& wrapped = *base;
  const Doubled gram(std::move(base));
  EXPECT_EQ(gram.size(), 7);
  EXPECT_EQ(gram.precision(), Precision::float64);
  EXPECT_EQ(gram.scale(), wrapped.scale());
  EXPECT_EQ(gram.threads(), wrapped.threads());
  EXPECT_EQ(&gram.uncentered(), &gram);
  Matrix product(7, 3);
  gram.apply(A.leftCols(3), product);
  EXPECT_LE((product - 2 * K * A.leftCols(3)).norm(), 1e-12 * product.norm());
  EXPECT_EQ(gram.counts().products, 1);
  EXPECT_EQ(gram.counts().product_columns, 3);
}

}  // namespace
}  // namespace dualkpca::decorator_test
