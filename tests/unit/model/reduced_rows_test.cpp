#include "model/rows/reduced_rows.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "data/preprocessing.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "support/decompositions.hpp"

namespace dualkpca::reduced_rows_test {
namespace {

constexpr Index n = 1500;

// Returns one-hot codes of windows of `groups` letters from an alphabet of `letters`, like those of protein sequences.
Matrix one_hot_windows(Index rows, Index groups, Index letters) {
  const Matrix noise = random_normal(rows, groups, 7);
  Matrix X = Matrix::Zero(rows, groups * letters);
  for (Index i = 0; i < rows; ++i)
    for (Index g = 0; g < groups; ++g) {
      const auto letter = static_cast<Index>(std::abs(noise(i, g)) * 1e6) % letters;
      X(i, g * letters + letter) = 1;
    }
  return X;
}

Samples training_rows(const Matrix& X, Precision precision, bool moved) {
  Preprocessing input;
  if (moved) input.shift = mean_row(X, input.scaler);
  return input.rows(X, {.precision = precision}, 2);
}

std::vector<Index> all_columns(const Samples& rows) {
  std::vector<Index> columns(static_cast<std::size_t>(rows.view().cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

template <class T>
Matrix kernel_matrix(const ResolvedKernel& k, const Samples& samples) {
  const DenseRows<T> rows = samples.view().dense<T>();
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> K(rows.rows, rows.rows);
  make_kernel(k)->tile(rows, rows, {K.data(), rows.rows, rows.rows, rows.rows});
  return K.template cast<double>();
}

// Returns the largest difference of two kernel matrices, in units of epsilon times their largest entry.
double difference(const ResolvedKernel& k, const Samples& a, const Samples& b) {
  const bool narrow = a.view().precision() == Precision::float32;
  const Matrix K = narrow ? kernel_matrix<float>(k, a) : kernel_matrix<double>(k, a);
  const Matrix L = narrow ? kernel_matrix<float>(k, b) : kernel_matrix<double>(k, b);
  return (K - L).cwiseAbs().maxCoeff() / K.cwiseAbs().maxCoeff() / epsilon_of(a.view().precision());
}

struct Case {
  ResolvedKernel kernel;
  bool moved;
};
// These are the widths of the median rule for windows of 40 letters, where |x - y|^2 is about 64.
const std::vector<Case> kernels = {{{KernelName::rbf, 1.0 / 64}, true},
                                   {{KernelName::laplace, 1.0 / 8}, true},
                                   {{KernelName::matern32, 1.0 / 8}, true},
                                   {{KernelName::matern52, 1.0 / 8}, true},
                                   {{KernelName::linear}, false},
                                   {{KernelName::poly, 1.0 / 200, 3, 1.0}, false},
                                   {{KernelName::sigmoid, 1.0 / 200, 1, 0.1}, false}};

TEST(ReducedRows, OneHotGroupsNeedOneDirectionLessEach) {
  const Matrix X = one_hot_windows(n, 40, 5);
  for (const auto& [kernel, moved] : kernels) {
    const Samples rows = training_rows(X, Precision::float32, moved);
    const auto projected = projected_rows(rows.view(), all_columns(rows), kernel, 180, 2, 0);
    ASSERT_TRUE(projected) << to_string(kernel.name);
    EXPECT_EQ(projected->view().cols(), moved ? 160 : 161) << to_string(kernel.name);
    EXPECT_LE(difference(kernel, rows, *projected), 20) << to_string(kernel.name);
  }
}

TEST(ReducedRows, InFloat64OnlyWhatIsThereInFloat64IsKept) {
  const Matrix X = one_hot_windows(n, 40, 5);
  const Samples rows = training_rows(X, Precision::float64, true);
  const ResolvedKernel rbf{KernelName::rbf, 1.0 / 64};
  const auto projected = projected_rows(rows.view(), all_columns(rows), rbf, 180, 2, 0);
  ASSERT_TRUE(projected);
  EXPECT_EQ(projected->view().cols(), 160);
  EXPECT_LE(difference(rbf, rows, *projected), 50);
  // exp(-a) has a kink where rows coincide, so the omitted part would have to be below the square of epsilon.
  EXPECT_FALSE(projected_rows(rows.view(), all_columns(rows), {KernelName::laplace, 1.0 / 8}, 180, 2, 0));
}

TEST(ReducedRows, WindowsOfProteinsGiveTheSameMatrix) {
  const ResolvedKernel rbf{KernelName::rbf, 1.0 / 32};
  const Samples rows = training_rows(one_hot_windows(n, 17, 21), Precision::float32, true);
  const auto projected = projected_rows(rows.view(), all_columns(rows), rbf, 350, 2, 0);
  ASSERT_TRUE(projected);
  EXPECT_EQ(projected->view().cols(), 17 * 20);
  EXPECT_LE(difference(rbf, rows, *projected), 20);
  // Saving a twentieth of the columns, or columns of so few rows, is not worth the work.
  EXPECT_EQ(reduced_rows(rows, rbf, true, 2, 0).view().dense<float>().data, rows.view().dense<float>().data);
}

TEST(ReducedRows, ATinyDirectionThatCountsIsKept) {
  Matrix X = random_normal(n, 40, 1) * random_normal(40, 60, 2);
  const ResolvedKernel rbf{KernelName::rbf, 1.0 / (2 * 40 * 60)};
  const Samples plain = training_rows(X, Precision::float32, true);
  ASSERT_TRUE(projected_rows(plain.view(), all_columns(plain), rbf, 54, 2, 0));
  EXPECT_EQ(projected_rows(plain.view(), all_columns(plain), rbf, 54, 2, 0)->view().cols(), 40);
  // Only one row has a part in one more direction, and the sample may or may not contain this row.
  X(n / 2, 7) += 0.5;
  const Samples special = training_rows(X, Precision::float32, true);
  for (const std::uint64_t seed : {0, 1, 2}) {
    const auto projected = projected_rows(special.view(), all_columns(special), rbf, 54, 2, seed);
    EXPECT_TRUE(!projected || projected->view().cols() > 40);
  }
  // Twenty directions are smaller than a thousandth of the others, but far above rounding.
  const Samples small = training_rows(X + 1e-2 * random_normal(n, 60, 3), Precision::float32, true);
  EXPECT_FALSE(projected_rows(small.view(), all_columns(small), rbf, 54, 2, 0));
}

TEST(ReducedRows, LaplacianAndCosineAreNotProjected) {
  const Matrix X = one_hot_windows(n, 40, 5);
  const Samples rows = training_rows(X, Precision::float32, false);
  EXPECT_FALSE(projected_rows(rows.view(), all_columns(rows), {KernelName::laplacian, 0.01}, 180, 2, 0));
  EXPECT_FALSE(projected_rows(rows.view(), all_columns(rows), {KernelName::cosine}, 180, 2, 0));
}

TEST(ReducedRows, ConstantColumnsAreLeftOutWhereTheyCannotBeSeen) {
  Matrix X = random_normal(n, 60, 1);
  for (Index j = 0; j < 60; j += 4) X.col(j).setConstant(j == 8 ? 0.0 : 0.1 * static_cast<double>(j) + 0.3);
  const auto used = [&](KernelName name, bool centered, bool moved) {
    const ResolvedKernel kernel{name, 0.01, 2, 1.0};
    const Samples rows = training_rows(X, Precision::float32, moved);
    const Samples reduced = reduced_rows(rows, kernel, centered, 2, 0);
    if (!centered || name != KernelName::linear) {
      EXPECT_LE(difference(kernel, rows, reduced), 10) << to_string(name);
    }
    return reduced.view().cols();
  };
  EXPECT_EQ(used(KernelName::rbf, true, true), 45);
  EXPECT_EQ(used(KernelName::rbf, false, true), 45);
  EXPECT_EQ(used(KernelName::laplacian, true, true), 45);
  EXPECT_EQ(used(KernelName::linear, true, true), 45);
  EXPECT_EQ(used(KernelName::linear, false, false), 59);
  EXPECT_EQ(used(KernelName::poly, true, false), 59);
  EXPECT_EQ(used(KernelName::cosine, true, false), 59);
}

TEST(ReducedRows, RowsThatAreAllEqualKeepAColumn) {
  const Samples rows = training_rows(Matrix::Constant(n, 50, 2.0), Precision::float64, true);
  EXPECT_EQ(reduced_rows(rows, {KernelName::rbf, 1.0}, true, 2, 0).view().cols(), 1);
}

TEST(ReducedRows, AFitGivesTheSameEigenvaluesAndTransformsAsBefore) {
  const Matrix narrow = random_normal(400, 40, 1);
  Matrix wide(400, 60);
  wide << narrow.leftCols(20), Matrix::Constant(400, 20, 3.0), narrow.rightCols(20);
  const KernelPCAParams params{.n_components = 3, .kernel = {.gamma = 0.02}, .precision = Precision::float64};
  KernelPCA a(params), b(params);
  a.fit(narrow);
  b.fit(wide);
  EXPECT_EQ(a.report().features_used, 40);
  EXPECT_EQ(b.report().features_used, 40);
  EXPECT_EQ(b.report().n_features, 60);
  EXPECT_LE((a.report().eigenvalues - b.report().eigenvalues).cwiseAbs().maxCoeff(), 1e-10 * a.report().eigenvalues[0]);
  EXPECT_LE((b.transform(wide) - b.scores()).cwiseAbs().maxCoeff(), 1e-5 * b.scores().cwiseAbs().maxCoeff());
}

TEST(ReducedRows, AFitOnFewerDirectionsGivesTheSameEigenvalues) {
  const Index rows = 4000;
  const Matrix X = random_normal(rows, 20, 1) * random_normal(20, 60, 2);
  const KernelPCAParams params{.n_components = 3, .kernel = {.gamma = 1.0 / 2400}};
  KernelPCA model(params);
  model.fit(X);
  // Less the median of each column, the rows span one more direction, because the median is not in their affine hull.
  EXPECT_EQ(model.report().features_used, 21);
  // The reference has the same rows in another basis, computed by Eigen.
  const Matrix basis = test::orthonormal(X.topRows(20).transpose());
  KernelPCA reference(params);
  reference.fit(Matrix(X * basis));
  EXPECT_LE((model.report().eigenvalues - reference.report().eigenvalues).cwiseAbs().maxCoeff(),
            1e-5 * reference.report().eigenvalues[0]);
  EXPECT_LE((model.transform(X) - model.scores()).cwiseAbs().maxCoeff(), 1e-2 * model.scores().cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace dualkpca::reduced_rows_test
