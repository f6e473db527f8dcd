#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "dualkpca/report/report.hpp"
#include "support/csr.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::sparse_rows_test {
namespace {

// Returns two groups of rows that share few columns.
Matrix documents(Index n, Index d, std::uint64_t seed) {
  Matrix X = random_normal(n, d, seed).cwiseAbs();
  const Matrix keep = random_normal(n, d, seed + 50);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j)
      if (keep(i, j) < (j % 2 == i % 2 ? 0.9 : 2.2)) X(i, j) = 0;
  return X;
}

class SparseModel : public testing::TestWithParam<KernelName> {
 protected:
  const Matrix X = documents(120, 60, 1), Z = documents(31, 60, 2);
  const CsrMatrix csr = test::csr_of(X), new_csr = test::csr_of(Z);
  const SamplesView sparse{csr.view()}, new_sparse{new_csr.view()};
  [[nodiscard]] KernelPCAParams params(Precision precision) const {
    return {.n_components = 5,
            .kernel = {.name = GetParam(), .gamma = GetParam() == KernelName::sigmoid ? 0.001 : 0.02},
            .solver = {.name = SolverName::dense},
            .precision = precision};
  }
};

TEST_P(SparseModel, EqualsTheModelOfTheSameRowsDense) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const double bound = precision == Precision::float32 ? 2e-4 : 1e-9;
    const KernelPCA dense = KernelPCA(params(precision)).fit(X), ours = KernelPCA(params(precision)).fit(sparse);
    const double scale = dense.scores().cwiseAbs().maxCoeff();
    EXPECT_LE((ours.eigenvalues() - dense.eigenvalues()).cwiseAbs().maxCoeff(), bound * dense.eigenvalues()[0]);
    EXPECT_LE((ours.scores() - dense.scores()).cwiseAbs().maxCoeff(), bound * scale);
    // New rows may be dense or sparse for a model of dense or sparse rows.
    const Matrix expected = dense.transform(Z);
    for (const Matrix& scores : {dense.transform(new_sparse), ours.transform(new_sparse), ours.transform(Z)})
      EXPECT_LE((scores - expected).cwiseAbs().maxCoeff(), bound * scale);
    EXPECT_EQ(ours.report().nonzeros, sparse.nonzeros());
    EXPECT_FALSE(dense.report().nonzeros.has_value());
  }
}

TEST_P(SparseModel, IsSavedAndLoaded) {
  const test::TempDir directory;
  const std::string path = directory.path("sparse.safetensors");
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const KernelPCA model = KernelPCA(params(precision)).fit(sparse);
    model.save(path);
    const KernelPCA loaded = KernelPCA::load(path);
    EXPECT_EQ(report_json(loaded), report_json(model));
    EXPECT_EQ(loaded.transform(new_sparse, 1), model.transform(new_sparse, 1));
    // Rows of 60 columns have about 10 entries, and the file contains only the entries.
    EXPECT_LT(model.report().plan.data_bytes, static_cast<std::size_t>(X.size()) * bytes_of(precision) / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryKernel, SparseModel,
                         testing::Values(KernelName::rbf, KernelName::laplace, KernelName::laplacian, KernelName::poly,
                                         KernelName::linear, KernelName::cosine, KernelName::matern32,
                                         KernelName::matern52),
                         [](const auto& p) { return std::string(to_string(p.param)); });

TEST(SparseFit, RefusesScalersThatWouldFillTheZeros) {
  const Matrix X = documents(20, 10, 3);
  const CsrMatrix csr = test::csr_of(X);
  for (const Scaling scaling : {Scaling::standard, Scaling::robust, Scaling::minmax}) {
    try {
      (void)KernelPCA({.scale = scaling}).fit(csr.view());
      FAIL() << to_string(scaling);
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(),
                  testing::AllOf(testing::HasSubstr(std::string(to_string(scaling))), testing::HasSubstr("dense")));
    }
  }
}

TEST(SparseFit, GammaRulesGiveWhatTheyGiveDense) {
  const Matrix X = documents(40, 30, 4);
  const CsrMatrix csr = test::csr_of(X);
  for (const KernelName name : {KernelName::rbf, KernelName::laplace, KernelName::laplacian, KernelName::matern52})
    for (const GammaRule rule : {GammaRule::scale, GammaRule::median, GammaRule::automatic}) {
      const KernelParams params{.name = name, .gamma = rule};
      EXPECT_NEAR(resolve_gamma(params, csr.view(), {}, 0), resolve_gamma(params, X, {}, 0), 1e-12);
    }
}

TEST(SparseFit, RefusesRowsThatAreNoCsr) {
  const auto refused = [](std::vector<Index> offsets, std::vector<std::int32_t> columns, std::vector<double> values) {
    const SparseRows<double> rows{offsets.data(), columns.data(), values.data(), static_cast<Index>(offsets.size()) - 1,
                                  3};
    EXPECT_THROW((void)KernelPCA().fit(rows), DataError);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused({0, 1, 2}, {0, 3}, {1, 1});        // a column that is too large
  refused({0, 1, 2}, {0, -1}, {1, 1});       // a negative column
  refused({0, 2, 3}, {1, 0, 2}, {1, 1, 1});  // columns that do not ascend
  refused({0, 2, 3}, {1, 1, 2}, {1, 1, 1});  // the same column twice
  refused({0, 2, 1}, {0, 1}, {1, 1});        // offsets that decrease
  refused({0, 1, 2}, {0, 1}, {1, nan});
}

TEST(SparseFit, OfARowOfZerosAndEmptyColumns) {
  Matrix X = documents(30, 12, 5);
  X.row(7).setZero();
  X.col(3).setZero();
  const CsrMatrix csr = test::csr_of(X);
  for (const KernelName name : {KernelName::rbf, KernelName::cosine, KernelName::laplacian}) {
    const KernelPCA model = KernelPCA({.kernel = {.name = name}}).fit(csr.view());
    EXPECT_TRUE(model.scores().allFinite());
    EXPECT_TRUE(model.transform(Matrix(Matrix::Zero(2, 12))).allFinite());
  }
}

// The same numbers as sparse rows must become the same rows, scaled and shifted like those of the model. One thread
// adds in a fixed order, so the results are equal.
TEST(SparseCheck, OfAModelOfDenseRowsScalesThemToo) {
  const Matrix X = documents(80, 12, 6);
  const CsrMatrix csr = test::csr_of(X);
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const KernelPCA model = KernelPCA({.n_components = 3, .scale = Scaling::standard, .threads = 1}).fit(X);
    const CheckParams params{.precision = precision, .threads = 1};
    const CheckReport dense = model.check(X, params), sparse = model.check(csr.view(), params);
    EXPECT_LE(sparse.eta, 1e-5);
    EXPECT_EQ(sparse.eta, dense.eta);
    EXPECT_EQ(sparse.dual_objective, dense.dual_objective);
  }
}

}  // namespace
}  // namespace dualkpca::sparse_rows_test
