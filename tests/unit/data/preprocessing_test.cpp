#include "data/preprocessing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "support/csr.hpp"

namespace dualkpca::preprocessing_test {
namespace {

using testing::HasSubstr;

Preprocessing learnt_from(const Matrix& X) {
  Preprocessing input{.scaler = Scaler::fit(Scaling::standard, X)};
  input.shift = mean_row(X, input.scaler) + Vector::Constant(X.cols(), 0.25);
  return input;
}

std::string refusal(const Preprocessing& input, const SamplesView& X, const RowForm& form, Index first_row) {
  try {
    (void)input.rows(X, form, 1, first_row);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(Preprocessing, ScalesThenShifts) {
  const Matrix X = random_normal(700, 3, 1) * 5 + Matrix::Constant(700, 3, 7);
  const Preprocessing input = learnt_from(X);
  Matrix expected = X;
  for (Index i = 0; i < X.rows(); ++i) input.scaler.apply(expected.row(i).data());
  expected.rowwise() -= input.shift.transpose();
  EXPECT_EQ(input.matrix(X), expected);
  for (const int threads : {1, 3}) {
    EXPECT_EQ(input.rows(X, {}, threads).view().to_matrix(), expected);
    EXPECT_EQ(input.rows(X, {.precision = Precision::float32}, threads).view().to_matrix(),
              expected.cast<float>().cast<double>());
  }
}

TEST(Preprocessing, BlocksOfRowsAreTheRowsOfTheWhole) {
  const Matrix X = random_normal(20, 4, 2);
  const Preprocessing input = learnt_from(X);
  const Matrix all = input.matrix(X);
  EXPECT_EQ(input.rows(SamplesView(X).slice(5, 7), {}, 1, 5).view().to_matrix(), all.middleRows(5, 7));
}

TEST(Preprocessing, IsUndoneByReverted) {
  const Matrix X = random_normal(30, 4, 3);
  const Preprocessing input = learnt_from(X);
  // Each entry takes a product, a sum and a difference of numbers below 10 in size.
  EXPECT_LE((input.reverted(input.matrix(X)) - X).cwiseAbs().maxCoeff(), 100 * epsilon_of(Precision::float64));
}

TEST(Preprocessing, SparseRowsKeepTheirZeros) {
  const Matrix X = random_normal(10, 5, 4).unaryExpr([](double v) { return v > 0 ? v : 0; });
  const CsrMatrix csr = test::csr_of(X);
  for (const SamplesView& view : {SamplesView(X), SamplesView(csr.view())}) {
    const Samples rows = Preprocessing{}.rows(view, {.precision = Precision::float64, .is_sparse = true});
    ASSERT_TRUE(rows.view().is_sparse());
    EXPECT_EQ(rows.view().nonzeros(), csr.view().nonzeros());
    EXPECT_EQ(rows.view().to_matrix(), X);
  }
}

TEST(Preprocessing, MultipliesByTheUnitBeforeNarrowing) {
  const Matrix X = 1e-60 * random_normal(20, 3, 5);
  Preprocessing plain{.shift = 1e-60 * Vector::Ones(3)}, input = plain;
  input.unit = 0x1p200;
  const Matrix expected = 0x1p200 * plain.matrix(X);
  EXPECT_EQ(input.matrix(X), expected);
  EXPECT_EQ(input.rows(X, {.precision = Precision::float32}).view().to_matrix(), expected.cast<float>().cast<double>());
  EXPECT_LE((input.reverted(expected) - X).cwiseAbs().maxCoeff(), 1e-75);
}

TEST(Preprocessing, SparseRowsHaveAUnitToo) {
  const Matrix X = 1e-60 * random_normal(10, 5, 4).unaryExpr([](double v) { return v > 0 ? v : 0; });
  const Preprocessing input{.unit = 0x1p200};
  const Samples rows = input.rows(X, {.precision = Precision::float64, .is_sparse = true});
  EXPECT_EQ(rows.view().to_matrix(), 0x1p200 * X);
  EXPECT_EQ(input.reverted(rows).view().to_matrix(), X);
  EXPECT_TRUE(input.reverted(rows).view().is_sparse());
  const Samples narrow = input.rows(X, {.precision = Precision::float32, .is_sparse = true});
  EXPECT_LE((input.reverted(narrow).view().to_matrix() - X).cwiseAbs().maxCoeff(), 1e-66);
}

TEST(Preprocessing, SaysThatTheUnitOfTheTrainingRowsDoesNotHelp) {
  EXPECT_THAT(
      refusal({.unit = 0x1p200}, Matrix(Matrix::Constant(2, 1, 1.5)), {.precision = Precision::float32}, 0),
      HasSubstr("row 1, column 1 is 1.5, too large for float32 arithmetic, even in the unit of the training rows"));
}

TEST(Preprocessing, NamesTheRowWhoseSquareOverflows) {
  Matrix X = Matrix::Zero(4, 2);
  X(2, 1) = -1e20;
  for (const bool is_sparse : {false, true}) {
    EXPECT_THAT(refusal({}, X, {Precision::float32, is_sparse}, 100), HasSubstr("row 103, column 2 is -1e+20"));
    EXPECT_EQ(refusal({}, X, {Precision::float64, is_sparse}, 100), "");
  }
}

}  // namespace
}  // namespace dualkpca::preprocessing_test
