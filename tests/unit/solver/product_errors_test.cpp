#include "solver/product_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/gram/stored.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::product_errors_test {
namespace {

// With no error among `count` draws, the largest share p of errors has (1 - p)^count = failure.
TEST(LargestMean, OfNoughtsIsThatOfABinomialDistribution) {
  for (const Index count : {1, 10, 192})
    for (const double failure : {0.5, 1e-3, 1e-7})
      EXPECT_NEAR(largest_mean(0, count, failure), 1 - std::pow(failure, 1 / static_cast<double>(count)), 1e-12);
}

TEST(LargestMean, GrowsWithTheMeanAndWithCertainty) {
  EXPECT_GT(largest_mean(0.2, 192, 1e-7), 0.2);
  EXPECT_GT(largest_mean(0.2, 192, 1e-7), largest_mean(0.1, 192, 1e-7));
  EXPECT_GT(largest_mean(0.2, 192, 1e-7), largest_mean(0.2, 192, 1e-3));
  EXPECT_LT(largest_mean(0.2, 19200, 1e-7), largest_mean(0.2, 192, 1e-7));
  EXPECT_DOUBLE_EQ(largest_mean(1, 192, 1e-7), 1);
}

// Products with a kernel matrix of rows, a few of which may be far from all others. The matrix is evaluated in float32
// or float64, and again in float64 from the rows as they are.
struct Case {
  Precision precision;
  bool centered;
  Index far;
};

class Errors : public testing::TestWithParam<Case> {
 protected:
  static constexpr Index n = 700, m = 12, s = 4;

  Errors() : X_(10 * random_normal(n, 3, 1)) {
    for (Index i = 0; i < GetParam().far; ++i) X_.row(100 + i) = (3e5 + X_.row(100 + i).array() * 0.05).matrix();
    // The shift of a fit; the median leaves the far rows alone.
    narrow_ = test::rounded(X_, GetParam().precision);
    kernel_ = make_kernel(KernelName::rbf, 1, 1, 0);
    const ExactBlock exact = [this](std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j)
          out(static_cast<Index>(i), static_cast<Index>(j)) = entry(rows[i], columns[j]);
    };
    if (GetParam().precision == Precision::float32) {
      float_rows_ = narrow_.cast<float>();
      gram_ = make_stored_gram(kernel_, DenseRows<float>{float_rows_.data(), n, 3, 3}, 1, {}, exact);
    } else {
      gram_ = make_stored_gram(kernel_, DenseRows<double>{narrow_.data(), n, 3, 3}, 1, {}, exact);
    }
    if (GetParam().centered) gram_ = std::make_unique<CenteredGram>(std::move(gram_));
  }

  [[nodiscard]] double entry(Index i, Index j) const { return std::exp(-(X_.row(i) - X_.row(j)).squaredNorm()); }

  // Returns an orthonormal basis whose first columns contain the far rows, where rounding is largest.
  [[nodiscard]] Matrix basis() const {
    Matrix V = random_normal(n, m, 2);
    for (Index i = 0; i < GetParam().far; ++i) V(100 + i, i % m) += 30;
    if (GetParam().centered) V.rowwise() -= V.colwise().mean().eval();
    return test::orthonormal(V);
  }

  [[nodiscard]] Matrix exact_product(const Matrix& Q) const {
    Matrix K(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) K(i, j) = entry(i, j);
    Matrix GQ = K * Q;
    if (GetParam().centered) GQ.rowwise() -= GQ.colwise().mean().eval();
    return GQ;
  }

  Matrix X_, narrow_;
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> float_rows_;
  std::shared_ptr<const Kernel> kernel_;
  std::unique_ptr<GramOperator> gram_;
};

TEST_P(Errors, AreBoundedWhateverRowsAreDrawn) {
  const Matrix Q = basis(), exact = exact_product(Q), one = Matrix::Identity(m, m), Z = one.leftCols(s);
  Matrix GQ(n, m);
  gram_->apply(Q, GQ);
  const Matrix D = GQ - exact;
  const double of_first = D.leftCols(s).norm(), largest = test::polar(D).sigma[0];
  // In float64 the reference has errors of its own.
  const double slack = 1e-14 * static_cast<double>(n);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ProductErrorBound bound(*gram_, 5e-7, seed);
    const ProductErrors errors = bound({Q, GQ, one}, Z);
    EXPECT_GE(errors.ritz + slack, of_first);
    EXPECT_GE(errors.spectral + slack, 2 * largest);
    EXPECT_GE(errors.coupling, errors.ritz);
  }
}

// The estimate needs no sample to see the rows that matter.
TEST_P(Errors, AreEstimatedWithinAFactorOfThree) {
  if (GetParam().precision == Precision::float64) GTEST_SKIP() << "nothing measures float64";
  const Matrix Q = basis(), one = Matrix::Identity(m, m);
  Matrix GQ(n, m);
  gram_->apply(Q, GQ);
  const double exact = (GQ - exact_product(Q)).squaredNorm();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ProductErrorBound bound(*gram_, 5e-7, seed);
    const double estimate = bound.estimated_squares({Q, GQ, one}, one).sum();
    EXPECT_GE(estimate, exact / 9) << seed;
    EXPECT_LE(estimate, exact * 9) << seed;
    EXPECT_GE(bound.likely_squares({Q, GQ, one}, one).sum(), exact / 9);
    EXPECT_EQ(bound.likely_squares({Q, GQ, one}, one, Vector::Zero(n)).sum(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Errors,
                         testing::Values(Case{Precision::float32, false, 0}, Case{Precision::float32, true, 0},
                                         Case{Precision::float32, false, 12}, Case{Precision::float32, true, 12},
                                         Case{Precision::float64, false, 0}, Case{Precision::float64, false, 12},
                                         Case{Precision::float64, true, 12}),
                         [](const auto& test_case) {
                           const Case& c = test_case.param;
                           return std::string(to_string(c.precision)) + (c.centered ? "_centred" : "") +
                                  (c.far > 0 ? "_far_rows" : "");
                         });

}  // namespace
}  // namespace dualkpca::product_errors_test
