#include "dualkpca/data/samples.hpp"

#include <array>
#include <limits>

#include "dualkpca/core/errors.hpp"
#include "support/csr.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::samples_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> row_of(const SamplesView& X, Index i) {
  std::vector<double> row(static_cast<std::size_t>(X.cols()));
  X.copy_row(i, row.data());
  return row;
}

TEST(SamplesTest, ViewsAnyStrideAndWidth) {
  const std::array<float, 6> data = {1, 2, 3, 4, 5, 6};
  const SamplesView c_order(data.data(), 2, 3);
  EXPECT_THAT(row_of(c_order, 1), ElementsAre(4, 5, 6));
  const SamplesView fortran_order(data.data(), Precision::float32, 2, 3, 1, 2);
  EXPECT_THAT(row_of(fortran_order, 0), ElementsAre(1, 3, 5));
  EXPECT_THAT(row_of(fortran_order, 1), ElementsAre(2, 4, 6));
  EXPECT_EQ(fortran_order(1, 2), 6);
  const SamplesView middle_column(data.data() + 1, Precision::float32, 2, 1, 3, 1);
  EXPECT_THAT(row_of(middle_column, 1), ElementsAre(5));
}

TEST(SamplesTest, PicksRowsInAnyOrderAsTheyAre) {
  const Matrix X{{1, 0, 2}, {0, 3, 0}, {4, 5, 6}};
  const CsrRows<float> csr = test::csr_of<float>(X);
  const Matrix turned = X.transpose();
  const SamplesView fortran(turned.data(), Precision::float64, 3, 3, 1, 3);
  for (const SamplesView& view : {SamplesView(X), SamplesView(csr.view()), fortran}) {
    const std::array<Index, 3> indices = {2, 0, 2};
    const Samples picked = view.pick(indices);
    EXPECT_EQ(picked.view().is_sparse(), view.is_sparse());
    EXPECT_EQ(picked.view().precision(), view.precision());
    EXPECT_EQ(picked.view().cols(), 3);
    EXPECT_EQ(picked.view().to_matrix(), (Matrix{{4, 5, 6}, {1, 0, 2}, {4, 5, 6}}));
    const Samples wide = view.pick(indices, Precision::float64);
    EXPECT_EQ(wide.view().precision(), Precision::float64);
    EXPECT_EQ(wide.view().to_matrix(), picked.view().to_matrix());
    EXPECT_TRUE(view.pick({}).view().empty());
  }
}

TEST(SamplesTest, APickOutlivesWhatItWasPickedFrom) {
  Samples picked;
  {
    const Samples all(Matrix{{1, 2}, {3, 4}});
    picked = all.pick(std::array<Index, 1>{1});
  }
  EXPECT_THAT(row_of(picked.view(), 0), ElementsAre(3, 4));
}

TEST(SamplesTest, SlicesRows) {
  const Matrix X{{1, 2}, {3, 4}, {5, 6}};
  const SamplesView tail = SamplesView(X).slice(1, 2);
  EXPECT_EQ(tail.rows(), 2);
  EXPECT_THAT(row_of(tail, 1), ElementsAre(5, 6));
  const std::array<float, 6> data = {1, 2, 3, 4, 5, 6};
  EXPECT_THAT(row_of(SamplesView(data.data(), Precision::float32, 3, 2, 1, 3).slice(1, 2), 1), ElementsAre(3, 6));
  EXPECT_EQ(tail.slice(2, 0).rows(), 0);
}

TEST(SamplesTest, OwnsItsMemory) {
  Samples copy;
  {
    Matrix X{{1, 2}, {3, 4}};
    const Samples samples(std::move(X));
    copy = samples;
  }
  EXPECT_THAT(row_of(copy.view(), 1), ElementsAre(3, 4));
}

TEST(SamplesTest, FiniteSamplesPass) {
  Matrix X = Matrix::Random(37, 19);
  X(3, 4) = std::numeric_limits<double>::max();
  X(5, 6) = -std::numeric_limits<double>::max();
  X(7, 8) = std::numeric_limits<double>::denorm_min();
  EXPECT_NO_THROW(SamplesView(X).require_finite("X"));
  EXPECT_NO_THROW(SamplesView().require_finite("X"));
}

// Tests every place, so that no vector lane or remainder loop is left out.
TEST(SamplesTest, FindsTheOneThatIsNotFinite) {
  constexpr Index rows = 5, cols = 19;
  for (const double bad : {nan, infinity, -infinity})
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) {
        Matrix X = Matrix::Random(rows, cols);
        X(i, j) = bad;
        const Eigen::MatrixXf F = X.cast<float>();  // column-major
        const std::string place = "row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1);
        EXPECT_THAT(test::message_of<DataError>([&] { SamplesView(X).require_finite("X"); }),
                    HasSubstr("X: " + place + ":"));
        EXPECT_THAT(test::message_of<DataError>(
                        [&] { SamplesView(F.data(), Precision::float32, rows, cols, 1, rows).require_finite("F"); }),
                    HasSubstr("F: " + place + ":"));
      }
}

TEST(SamplesTest, NamesTheFirstOfSeveral) {
  Matrix X = Matrix::Zero(4, 4);
  X(1, 3) = infinity;
  X(2, 0) = nan;
  EXPECT_THAT(test::message_of<DataError>([&] { SamplesView(X).require_finite("X"); }),
              HasSubstr("row 2, column 4: the value is infinity"));
}

TEST(SamplesTest, IgnoresWhatIsOutsideTheView) {
  Matrix X = Matrix::Zero(3, 3);
  X(0, 0) = X(2, 2) = nan;
  EXPECT_NO_THROW(SamplesView(X.data() + 1, Precision::float64, 3, 1, 3, 1).require_finite("X"));
  EXPECT_NO_THROW(SamplesView(X).slice(1, 1).require_finite("X"));
}

}  // namespace
}  // namespace dualkpca::samples_test
