#include "core/top_eigenpairs.hpp"

#include <gtest/gtest.h>

#include "dualkpca/core/random.hpp"
#include "support/decompositions.hpp"

namespace dualkpca::top_eigenpairs_test {
namespace {

bool always() { return true; }

void expect_top(const Matrix& A, Index s) {
  const Index n = A.rows();
  const test::SymmetricEigen eigen(A);
  const TopEigenpairs top = top_eigenpairs(A, s, always);
  const double bound = 1e-14 * static_cast<double>(n) * std::max(1e-300, A.cwiseAbs().maxCoeff());
  EXPECT_LT((top.values - eigen.eigenvalues().reverse().head(s)).cwiseAbs().maxCoeff(), bound);
  EXPECT_LT((A * top.vectors - top.vectors * top.values.asDiagonal()).cwiseAbs().maxCoeff(), 10 * bound);
  EXPECT_LT((top.vectors.transpose() * top.vectors - Matrix::Identity(s, s)).cwiseAbs().maxCoeff(), 1e-12);
}

Matrix symmetric(Index n) {
  const Matrix B = random_normal(n, n, 3);
  return B + B.transpose();
}

TEST(TopEigenpairs, AreThoseOfEigenForFewAndForMany) {
  for (const Index n : {1, 2, 3, 63, 64, 65, 97, 200})
    for (const Index s : {Index{1}, std::max<Index>(1, n / 5), n}) expect_top(symmetric(n), s);
}

TEST(TopEigenpairs, OfHugeClustersAreFound) {
  const Index n = 120;
  expect_top(Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n)), 7);
  expect_top(Matrix::Identity(n, n), n);
}

// A tridiagonal matrix that falls into blocks, with eigenvalues that differ by less than the root of the precision.
TEST(TopEigenpairs, OfNearlyEqualBlocksAreTheLargest) {
  for (const double difference : {1e-6, 1e-9, 1e-12}) {
    Matrix A = Matrix::Identity(60, 60);
    A(3, 40) = A(40, 3) = 2 * difference;
    A(10, 11) = A(11, 10) = difference;
    for (const Index s : {1, 2, 3}) expect_top(A, s);
  }
}

TEST(TopEigenpairs, OfTinyAndOfHugeNumbersAreFound) {
  expect_top(1e-200 * symmetric(80), 5);
  expect_top(1e200 * symmetric(80), 5);
}

TEST(TopEigenpairs, OfZeroAreZero) { EXPECT_EQ(top_eigenpairs(Matrix::Zero(5, 5), 2, always).values, Vector::Zero(2)); }

TEST(TopEigenpairs, AreNoneIfSomebodySaysStop) {
  int asked = 0;
  EXPECT_EQ(top_eigenpairs(symmetric(300), 3, [&] { return ++asked < 3; }).values.size(), 0);
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace dualkpca::top_eigenpairs_test
