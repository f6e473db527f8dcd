#include "solver/product_pairs.hpp"

#include <gtest/gtest.h>

#include "dualkpca/core/random.hpp"
#include "solver/lbfgs_history.hpp"

namespace dualkpca::product_pairs_test {
namespace {

constexpr Index n = 12, s = 3;

TEST(ProductPairs, DirectionIsThatOfTheUsualRecursionAndItsImageIsItsProduct) {
  const Matrix A = random_normal(n, n, 1);
  const Matrix G = A * A.transpose();
  ProductPairs pairs(3);
  LbfgsHistory history(3);
  for (std::uint64_t i = 1; i <= 5; ++i) {
    const Matrix step = random_normal(n, s, 10 + i), change = step + 0.2 * random_normal(n, s, 20 + i);
    pairs.push({step, G * step}, {change, G * change});
    history.push(step, change);
  }
  const Matrix r = random_normal(n, s, 30);
  const WithProduct q = pairs.direction({r, G * r});
  EXPECT_LE((q.value + history.direction(r)).norm(), 1e-12 * q.value.norm());
  EXPECT_LE((q.product - G * q.value).norm(), 1e-12 * q.product.norm());
}

TEST(ProductPairs, WithoutPairsItIsTheResidual) {
  const Matrix r = random_normal(n, s, 1);
  ProductPairs pairs(2);
  EXPECT_EQ(pairs.direction({r, 2 * r}).value, r);
  pairs.push({r, r}, {Matrix(-r), r});  // negative curvature
  EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace dualkpca::product_pairs_test
