// Expected values come from StandardScaler, RobustScaler and MinMaxScaler of scikit-learn 1.2.1 with numpy 1.24.2.

#include "dualkpca/data/scaler.hpp"

#include "dualkpca/core/errors.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::scaler_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The third and fourth columns have no spread; the sum of seven times 0.1 is not 0.7.
Matrix sample() {
  return Matrix{{1, 10, 5, 0.1, -7},    {2, 20, 5, 0.1, 3.5},    {4, 20, 5, 0.1, 1e3},    {8, 20, 5, 0.1, 2},
                {16, 25, 5, 0.1, 0.25}, {32, -4, 5, 0.1, 0.125}, {64.5, 20, 5, 0.1, -0.5}};
}

void expect_near(const Vector& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), static_cast<Index>(expected.size()));
  for (Index j = 0; j < found.size(); ++j)
    EXPECT_NEAR(found[j], expected[static_cast<std::size_t>(j)], 1e-14 * std::max(1.0, std::abs(found[j])))
        << "column " << j;
}

TEST(ScalerTest, StandardAsScikitLearn) {
  const Scaler scaler = Scaler::fit(Scaling::standard, sample());
  expect_near(scaler.center, {18.214285714285715, 15.857142857142858, 5, 0.1, 142.625});
  expect_near(scaler.scale, {21.390680786029133, 9.109313466817063, 1, 1, 350.0351704267934});
  EXPECT_EQ(scaler.scale[2], 1);
  EXPECT_EQ(scaler.scale[3], 1);
  Vector row = sample().row(2);
  scaler.apply(row.data());
  expect_near(row, {-0.66450833690012678, 0.45479356462465897, 0, 0, 2.4493967247765807});
}

TEST(ScalerTest, RobustAsScikitLearn) {
  const Scaler odd = Scaler::fit(Scaling::robust, sample());
  expect_near(odd.center, {8, 20, 5, 0.1, 0.25});
  expect_near(odd.scale, {21, 5, 1, 1, 2.9375});
  Vector row = sample().row(2);
  odd.apply(row.data());
  expect_near(row, {-0.19047619047619047, 0, 0, 0, 340.34042553191489});
  const Scaler even = Scaler::fit(Scaling::robust, Matrix(sample().topRows(6)));
  expect_near(even.center, {6, 20, 5, 0.1, 1.125});
  expect_near(even.scale, {11.5, 7.5, 1, 1, 2.96875});
}

TEST(ScalerTest, MinmaxAsScikitLearn) {
  const Scaler scaler = Scaler::fit(Scaling::minmax, sample());
  expect_near(scaler.center, {1, -4, 5, 0.1, -7});
  expect_near(scaler.scale, {63.5, 29, 1, 1, 1007});
  Vector row = sample().row(2);
  scaler.apply(row.data());
  expect_near(row, {0.04724409448818898, 0.8275862068965518, 0, 0, 1});
}

TEST(ScalerTest, NoneChangesNothing) {
  const Scaler scaler = Scaler::fit(Scaling::none, sample());
  EXPECT_EQ(scaler.center.size(), 0);
  EXPECT_EQ(scaler.scale.size(), 0);
  Vector row = sample().row(2);
  scaler.apply(row.data());
  EXPECT_EQ(row, Vector(sample().row(2)));
}

// The mean is much larger than the spread, so the textbook formula with the mean of squares gives only rounding.
TEST(ScalerTest, StandardIsExactFarFromZero) {
  Matrix X(5, 1);
  for (Index i = 0; i < 5; ++i) X(i, 0) = 1e9 + static_cast<double>(i + 1) / 1024;
  const Scaler scaler = Scaler::fit(Scaling::standard, X);
  EXPECT_EQ(scaler.center[0], 1000000000.0029297);
  EXPECT_NEAR(scaler.scale[0], 0.00138106793200498, 1e-16);
}

// scikit-learn also finds no spread here, and its scale_ is 1.
TEST(ScalerTest, StandardTakesRoundingForNoSpread) {
  Matrix X = Matrix::Constant(10, 1, 0.1);
  X(0, 0) = X(5, 0) = std::nextafter(0.1, 1.0);
  EXPECT_EQ(Scaler::fit(Scaling::standard, X).scale[0], 1);
}

TEST(ScalerTest, OnlyShiftsAColumnWithoutSpread) {
  for (const Scaling scaling : {Scaling::standard, Scaling::robust, Scaling::minmax})
    for (const double value : {0.1, 1.0 / 3, -123456.789, 1e-5})
      for (Index rows = 1; rows < 100; ++rows) {
        const Scaler scaler = Scaler::fit(scaling, Matrix(Matrix::Constant(rows, 1, value)));
        ASSERT_EQ(scaler.scale[0], 1) << to_string(scaling) << ", " << rows << " times " << value;
        ASSERT_NEAR(scaler.center[0], value, 1e-15 * std::abs(value)) << to_string(scaling);
      }
}

// Most of the column is one value, so the quartiles coincide although the column has spread.
TEST(ScalerTest, RobustScaleIsOneWhereTheQuartilesCoincide) {
  Matrix X = Matrix::Zero(9, 1);
  X(4, 0) = 100;
  EXPECT_EQ(Scaler::fit(Scaling::robust, X).scale[0], 1);
}

TEST(ScalerTest, SmallUnitsAreSpreadToo) {
  const Matrix X{{1e-30}, {2e-30}, {3e-30}};
  EXPECT_NEAR(Scaler::fit(Scaling::standard, X).scale[0], 8.16496580927726e-31, 1e-44);
  EXPECT_NEAR(Scaler::fit(Scaling::robust, X).scale[0], 1e-30, 1e-44);
  EXPECT_NEAR(Scaler::fit(Scaling::minmax, X).scale[0], 2e-30, 1e-44);
}

TEST(ScalerTest, OneRowIsShiftedToZero) {
  const Matrix X{{3, -4}};
  for (const Scaling scaling : {Scaling::standard, Scaling::robust, Scaling::minmax}) {
    Vector row = X.row(0);
    Scaler::fit(scaling, X).apply(row.data());
    EXPECT_EQ(row, Vector::Zero(2)) << to_string(scaling);
  }
}

TEST(ScalerTest, OrderAndWidthOfTheSamplesDoNotMatter) {
  const Eigen::MatrixXf F = sample().cast<float>();  // column-major
  const SamplesView fortran(F.data(), Precision::float32, F.rows(), F.cols(), 1, F.rows());
  const Matrix widened = F.cast<double>();
  for (const Scaling scaling : {Scaling::standard, Scaling::robust, Scaling::minmax}) {
    const Scaler a = Scaler::fit(scaling, fortran), b = Scaler::fit(scaling, widened);
    EXPECT_EQ(a.center, b.center) << to_string(scaling);
    EXPECT_EQ(a.scale, b.scale) << to_string(scaling);
  }
}

TEST(ScalerTest, RefusesWhatHasNoScale) {
  Matrix X = sample();
  X(3, 1) = std::numeric_limits<double>::quiet_NaN();
  for (const Scaling scaling : {Scaling::standard, Scaling::robust, Scaling::minmax}) {
    EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(Scaler::fit(scaling, X)); }),
                HasSubstr("row 4, column 2"));
    EXPECT_THROW(static_cast<void>(Scaler::fit(scaling, Matrix(0, 3))), InvalidArgument);
    const Matrix huge{{0, 1.7e308}, {1, -1.7e308}, {2, 1.7e308}, {3, -1.7e308}};
    EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(Scaler::fit(scaling, huge)); }),
                HasSubstr("column 2"));
  }
}

TEST(ScalerTest, NamesRoundTrip) {
  for (const Scaling scaling : {Scaling::none, Scaling::standard, Scaling::robust, Scaling::minmax})
    EXPECT_EQ(parse_scaling(to_string(scaling)), scaling);
  EXPECT_THAT(test::message_of<InvalidArgument>([] { static_cast<void>(parse_scaling("zscore")); }),
              AllOf(HasSubstr("'zscore'"), HasSubstr("none, standard, robust, minmax")));
}

}  // namespace
}  // namespace dualkpca::scaler_test
