#include "model/rows/shift_and_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dualkpca/core/random.hpp"
#include "support/csr.hpp"

namespace dualkpca::shift_and_unit_test {
namespace {

// Looks at all rows.
Vector median_of(const Matrix& X, const Scaler& scaler = {}) {
  return median_row(X, typical_rows(X.rows(), 0), scaler, 1);
}
double unit_of(const Matrix& X, const Preprocessing& input = {}) {
  return unit_of_rows(X, typical_rows(X.rows(), 0), input);
}

TEST(TypicalRows, AreAllOrASample) {
  std::vector<Index> all(1001);
  std::iota(all.begin(), all.end(), Index{0});
  EXPECT_EQ(typical_rows(1001, 3), all);
  EXPECT_EQ(typical_rows(1002, 3).size(), 1001U);
  EXPECT_EQ(typical_rows(100000, 3), typical_rows(100000, 3));
}

TEST(MedianRow, IsTheMedianOfEveryColumn) {
  Matrix X(4, 3);
  X << 1, 5, -2, 7, 5, 1e9, 3, 5, 0, 2, 5, 1;
  EXPECT_EQ(median_of(X), Vector({{2.5, 5, 0.5}}));
  EXPECT_EQ(median_of(X.topRows(3)), Vector({{3, 5, 0}}));
  const Scaler scaler{.scaling = Scaling::standard, .center = Vector::Ones(3), .scale = Vector::Constant(3, 2.0)};
  EXPECT_EQ(median_of(X, scaler), Vector({{0.75, 2, -0.25}}));
}

TEST(MedianRow, IsExactForManyRows) {
  Matrix X(1001, 5);
  X << random_normal(1001, 3, 1), Matrix::Zero(1001, 2);
  std::sort(X.col(1).begin(), X.col(1).end());
  X.col(2) = X.col(2).cwiseMax(0.5);
  X.col(4).head(500).setOnes();
  for (const Index m : {1001, 1000, 501, 495, 40}) {
    const Matrix part = X.topRows(m);
    const Vector found = median_of(part);
    for (Index j = 0; j < 5; ++j) {
      Vector column = part.col(j);
      std::sort(column.begin(), column.end());
      EXPECT_EQ(found[j], 0.5 * (column[(m - 1) / 2] + column[m / 2])) << m << " " << j;
    }
  }
}

TEST(MedianRow, DoesNotDependOnTheThreads) {
  const Matrix X = random_normal(1500, 50, 1);
  const std::vector<Index> rows = typical_rows(1500, 2);
  EXPECT_EQ(median_row(X, rows, Scaler{}, 1), median_row(X, rows, Scaler{}, 3));
}

TEST(MedianRow, DoesNotOverflow) {
  Matrix X(2, 2);
  X << 1e308, -1.7e308, 1.5e308, -1.7e308;
  EXPECT_EQ(median_of(X), Vector({{1.25e308, -1.7e308}}));
}

TEST(UnitOfRows, IsOneForOrdinaryLengths) {
  const Matrix X = random_normal(50, 3, 1);
  for (const double factor : {1e-5, 1.0, 1e5}) EXPECT_EQ(unit_of(factor * X), 1);
  EXPECT_EQ(unit_of(Matrix::Zero(5, 2)), 1);
}

TEST(UnitOfRows, BringsLengthsNearOne) {
  const Matrix X = random_normal(51, 3, 1);
  Vector lengths = X.rowwise().norm();
  std::nth_element(lengths.begin(), lengths.begin() + 25, lengths.end());
  for (const double factor : {1e-250, 1e-160, 1e-20, 1e-8, 1e8, 1e20, 1e160, 1e250}) {
    const double unit = unit_of(factor * X);
    int exponent = 0;
    EXPECT_EQ(std::frexp(unit, &exponent), 0.5) << factor;
    EXPECT_NEAR(std::log2(lengths[25]) + std::log2(factor) + std::log2(unit), 0, 0.501) << factor;
    const CsrMatrix csr = test::csr_of(factor * X);
    EXPECT_EQ(unit_of_rows(csr.view(), typical_rows(51, 0), {}), unit) << factor;
  }
}

TEST(UnitOfRows, IsAPowerOfTwoForTheSmallestAndTheLargestNumbers) {
  for (const double value : {5e-324, 1.7e308}) {
    const Matrix X = Matrix::Constant(5, 4, value);
    const double unit = unit_of(X);
    EXPECT_TRUE(std::isnormal(unit) && std::isnormal(1 / unit)) << value;
  }
  Matrix X(2, 1);
  X << 1.7e308, -1.7e308;  // the shift overflows
  EXPECT_TRUE(std::isnormal(unit_of(X, {.shift = Vector::Constant(1, 1.7e308)})));
}

TEST(UnitOfRows, LooksAtLengthsAfterTheShift) {
  const Matrix X = Matrix::Constant(50, 3, 1e12) + random_normal(50, 3, 1);
  EXPECT_NE(unit_of(X), 1);
  EXPECT_EQ(unit_of(X, {.shift = Vector::Constant(3, 1e12)}), 1);
}

TEST(UnitOfRows, IgnoresZerosAndAFewLongRows) {
  Matrix X = random_normal(50, 3, 1);
  X.topRows(40).setZero();
  X(45, 1) = 1e100;
  EXPECT_EQ(unit_of(X), 1);
}

}  // namespace
}  // namespace dualkpca::shift_and_unit_test
