#include "solver/heavy_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/gram/stored.hpp"
#include "support/naive.hpp"

namespace dualkpca::heavy_rows_test {
namespace {

constexpr Index n = 50;
constexpr double tol = 1e-3, unknown = std::numeric_limits<double>::infinity();

// The identity with a pair and a triple of rows that are alike.
Matrix near_identity() {
  Matrix K = Matrix::Identity(n, n);
  const auto join = [&](Index i, Index j, double k) { K(i, j) = K(j, i) = k; };
  join(3, 40, 0.9);
  join(7, 8, -0.5);
  join(8, 20, 0.4);
  return K;
}

Vector top(const Matrix& K, Index s) { return test::eigenvalues_descending(K).head(s); }

TEST(HeavyRows, BoundTheLargestEigenvaluesOfAnyMatrix) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Vector values = random_normal(n, 1, seed).col(0).cwiseAbs2();
    const Matrix K = test::with_spectrum(values, seed);
    for (const bool centered : {false, true}) {
      std::unique_ptr<GramOperator> gram = make_precomputed_gram(K, Precision::float64, 1);
      if (centered) gram = std::make_unique<CenteredGram>(std::move(gram));
      const HeavyRows rows(*gram, tol);
      const Vector exact = top(centered ? test::naive_centered(K) : K, n);
      for (Index s = 1; s <= n; ++s) EXPECT_GE(rows.largest_sum(s), exact.head(s).sum() - 1e-12);
    }
  }
}

TEST(HeavyRows, AreThoseThatMayBelongToALargerEigenvalue) {
  const auto gram = make_precomputed_gram(near_identity(), Precision::float64, 1);
  HeavyRows rows(*gram, tol);
  const Vector theta = Vector::Ones(1);
  EXPECT_EQ(rows.count(theta), 5);
  const std::vector<Index> first = rows.next(theta, 2), others = rows.next(theta, 9);
  EXPECT_EQ(first, (std::vector<Index>{3, 8}));  // sums of 1.9, equal ones in the order of the rows
  EXPECT_EQ(others, (std::vector<Index>{40, 7, 20}));
  EXPECT_TRUE(rows.next(theta, 9).empty());
  rows.rewind();
  EXPECT_EQ(rows.next(theta, 2), first);
}

TEST(HeavyRows, AreNeededWhereverTheDiagonalIsNotFarBelowTheRitzValue) {
  const auto needed = [](const Vector& diagonal, double theta) {
    const Matrix K = diagonal.asDiagonal();
    return HeavyRows::are_needed(*make_precomputed_gram(K, Precision::float64, 1), theta);
  };
  Vector diagonal = Vector::Ones(n);
  EXPECT_TRUE(needed(diagonal, 1.5));
  EXPECT_TRUE(needed(diagonal, 7.5));  // groups of equal rows
  EXPECT_FALSE(needed(diagonal, 8.5));
  diagonal.tail(n - 5).setZero();  // empty rows do not hide that the others form an identity
  EXPECT_TRUE(needed(diagonal, 1.5));
}

// Sums that are large for nearly all rows say nothing about any of them.
TEST(HeavyRows, AreNoneWhereNearlyAllSumsAreLarge) {
  const Matrix K = 0.5 * (Matrix::Ones(n, n) + Matrix::Identity(n, n));
  const auto gram = make_precomputed_gram(K, Precision::float64, 1);
  HeavyRows rows(*gram, tol);
  EXPECT_TRUE(rows.next(Vector::Constant(1, 3.0), 4).empty());
  EXPECT_EQ(rows.next(Vector::Constant(1, 1.5), 4).size(), 4u);  // near the identity some are tried nevertheless
}

TEST(HeavyRows, EstimateNoLessThanIsMissing) {
  const Matrix K = near_identity();
  const auto gram = make_precomputed_gram(K, Precision::float64, 1);
  const HeavyRows rows(*gram, tol);
  for (Index s = 1; s <= 4; ++s) {
    const Vector exact = top(K, s);
    // Unit vectors of the rows without a neighbour have no residual at all.
    const double missed = 1 - static_cast<double>(s) / exact.sum();
    EXPECT_GE(rows.estimated_eta(Vector::Ones(s), 0, 0, unknown).value() + tol, std::min(missed, tol));
    EXPECT_LE(rows.estimated_eta(exact, 0, 0, unknown).value(), tol);
    if (s == 1) continue;  // here the sums alone leave nothing open
    EXPECT_GE(rows.estimated_eta(exact, 1e-4, 0, unknown).value(), 1e-5);
    EXPECT_GE(rows.estimated_eta(exact, 0, 1e-2, unknown).value(), 1e-4);
    const double tiny = 1e-12, with_gap = rows.estimated_eta(exact, tiny, 0, 0.5).value();
    EXPECT_LE(with_gap, 0.1 * tol + 10 * tiny);  // a residual counts squared if the next eigenvalue is lower
  }
}

TEST(HeavyRows, SayNothingOfOtherKernels) {
  const Matrix X = random_normal(n, 2, 1), K = test::naive_kernel_matrix({KernelName::rbf, 0.5, 1, 0}, X, X);
  const HeavyRows rows(*make_precomputed_gram(K, Precision::float64, 1), tol);
  EXPECT_FALSE(rows.estimated_eta(top(K, 30).tail(1), 0, 0, unknown).has_value());
  EXPECT_TRUE(rows.note().empty());
}

TEST(HeavyRows, NoteTheIdentity) {
  const Matrix K = 3 * Matrix::Identity(n, n);
  const HeavyRows rows(*make_precomputed_gram(K, Precision::float64, 1), tol);
  EXPECT_NE(rows.note().find("a multiple of the identity, so no component"), std::string::npos);
  EXPECT_LE(rows.estimated_eta(Vector::Constant(2, 3), 0, 0, unknown).value(), 1e-15);
}

}  // namespace
}  // namespace dualkpca::heavy_rows_test
