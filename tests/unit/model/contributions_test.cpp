#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "support/naive.hpp"

namespace dualkpca::contributions_test {
namespace {

constexpr Index n = 150, d = 4;

Matrix training_rows() { return 0.7 * random_normal(n, d, 1); }

KernelPCAParams params_of(const test::KernelCase& kernel, bool center) {
  return {.n_components = 3,
          .kernel = {.name = kernel.name, .gamma = kernel.gamma, .degree = kernel.degree, .coef0 = kernel.coef0},
          .center = center,
          .precision = Precision::float64};
}

// Returns the training row that a row is compared with.
Eigen::RowVectorXd reference_of(const KernelPCA& pca, const Eigen::RowVectorXd& x) {
  const Matrix X = training_rows();
  const Vector spe = pca.monitor(X).spe;
  std::vector<double> sorted(spe.begin(), spe.end());
  std::sort(sorted.begin(), sorted.end());
  const double highest = sorted[static_cast<std::size_t>(0.9 * (n - 1))] * (1 + 1e-9);
  Index best = -1;
  for (Index i = 0; i < n; ++i)
    if (spe[i] <= highest && (best < 0 || (X.row(i) - x).lpNorm<1>() < (X.row(best) - x).lpNorm<1>())) best = i;
  return X.row(best);
}

RowStatistics difference(const KernelPCA& pca, const Eigen::RowVectorXd& from, const Eigen::RowVectorXd& to) {
  Matrix ends(2, d);
  ends << from, to;
  const RowStatistics found = pca.monitor(ends);
  return {.t2 = Vector::Constant(1, found.t2[1] - found.t2[0]),
          .spe = Vector::Constant(1, found.spe[1] - found.spe[0])};
}

// Computes gradients by differences of monitor(), and integrates them by the midpoint rule.
Contributions by_differences(const KernelPCA& pca, const Eigen::RowVectorXd& from, const Eigen::RowVectorXd& to) {
  constexpr Index steps = 300;
  constexpr double h = 1e-4;
  Matrix rows(steps * d * 2, d);
  for (Index k = 0; k < steps; ++k)
    for (Index j = 0; j < d; ++j) {
      const double t = (static_cast<double>(k) + 0.5) / steps;
      const Eigen::RowVectorXd at = (1 - t) * from + t * to;
      for (const Index side : {0, 1}) {
        rows.row((k * d + j) * 2 + side) = at;
        rows((k * d + j) * 2 + side, j) += side == 1 ? h : -h;
      }
    }
  const RowStatistics found = pca.monitor(rows);
  Contributions out{.t2 = Matrix::Zero(1, d), .spe = Matrix::Zero(1, d)};
  for (Index k = 0; k < steps; ++k)
    for (Index j = 0; j < d; ++j) {
      const Index at = (k * d + j) * 2;
      const double weight = (to[j] - from[j]) / (2 * h * steps);
      out.t2(0, j) += weight * (found.t2[at + 1] - found.t2[at]);
      out.spe(0, j) += weight * (found.spe[at + 1] - found.spe[at]);
    }
  return out;
}

class OfKernel : public testing::TestWithParam<test::KernelCase> {};

TEST_P(OfKernel, AddUpAndAreIntegratedGradients) {
  for (const bool center : {true, false}) {
    const KernelPCA pca = KernelPCA(params_of(GetParam(), center)).fit(training_rows());
    const Matrix fresh = random_normal(5, d, 7);
    const Contributions found = pca.contributions(fresh);
    for (Index i = 0; i < fresh.rows(); ++i) {
      const Eigen::RowVectorXd from = reference_of(pca, fresh.row(i));
      const RowStatistics whole = difference(pca, from, fresh.row(i));
      EXPECT_NEAR(found.t2.row(i).sum(), whole.t2[0], 1e-6 * (1 + std::abs(whole.t2[0])));
      EXPECT_NEAR(found.spe.row(i).sum(), whole.spe[0], 1e-6 * (1 + std::abs(whole.spe[0])));
      const Contributions expected = by_differences(pca, from, fresh.row(i));
      EXPECT_LE((found.t2.row(i) - expected.t2).cwiseAbs().maxCoeff(), 1e-3 * (1 + expected.t2.cwiseAbs().maxCoeff()));
      EXPECT_LE((found.spe.row(i) - expected.spe).cwiseAbs().maxCoeff(),
                1e-3 * (0.1 + expected.spe.cwiseAbs().maxCoeff()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, OfKernel,
    testing::Values(test::KernelCase{KernelName::rbf, 0.3, 1, 0}, test::KernelCase{KernelName::matern32, 0.4, 1, 0},
                    test::KernelCase{KernelName::matern52, 0.4, 1, 0}, test::KernelCase{KernelName::poly, 0.5, 3, 1},
                    test::KernelCase{KernelName::linear, 1, 1, 0}, test::KernelCase{KernelName::laplace, 0.4, 1, 0}),
    [](const auto& p) { return test::case_name(p.param); });

TEST(Contributions, OfARowFarOutAddUpAndNameItsColumn) {
  const KernelPCA pca = KernelPCA(params_of({KernelName::rbf, 0.3, 1, 0}, true)).fit(training_rows());
  for (const double shift : {3.0, 10.0, 100.0, 1e6}) {
    Matrix fresh = 0.7 * random_normal(4, d, 9);
    for (Index i = 0; i < 4; ++i) fresh(i, i) += shift;
    const Contributions found = pca.contributions(fresh, 1);
    for (Index i = 0; i < 4; ++i) {
      Index largest = -1;
      found.spe.row(i).maxCoeff(&largest);
      EXPECT_EQ(largest, i) << shift;
      const RowStatistics whole = difference(pca, reference_of(pca, fresh.row(i)), fresh.row(i));
      EXPECT_NEAR(found.spe.row(i).sum(), whole.spe[0], 1e-6);
      EXPECT_NEAR(found.t2.row(i).sum(), whole.t2[0], 1e-5);
    }
  }
}

TEST(Contributions, OfASeriesAreTheSumOverLags) {
  const auto lagged = [](const Matrix& rows) {
    Matrix out(rows.rows() - 1, 2 * rows.cols());
    for (Index i = 0; i < out.rows(); ++i) out.row(i) << rows.row(i), rows.row(i + 1);
    return out;
  };
  const Matrix X = training_rows(), fresh = random_normal(40, d, 7);
  KernelPCAParams params = params_of({KernelName::rbf, 0.1, 1, 0}, true);
  params.scale = Scaling::standard;
  const Contributions wide = KernelPCA(params).fit(lagged(X)).contributions(lagged(fresh));
  params.lags = 1;
  const Contributions found = KernelPCA(params).fit(X).contributions(fresh);
  EXPECT_EQ(found.spe, Matrix(wide.spe.leftCols(d) + wide.spe.rightCols(d)));
  EXPECT_EQ(found.t2, Matrix(wide.t2.leftCols(d) + wide.t2.rightCols(d)));
}

TEST(Contributions, OfModelsOfFewRows) {
  Matrix fresh = random_normal(6, d, 7);
  fresh(2, 1) += 6;
  for (const LossName loss : {LossName::huber, LossName::epsilon_insensitive, LossName::square}) {
    KernelPCAParams params = params_of({KernelName::rbf, 0.2, 1, 0}, true);
    params.loss.name = loss;
    if (loss == LossName::square) params.solver.name = SolverName::nystrom;
    params.precision = Precision::float32;
    const Contributions found = KernelPCA(params).fit(training_rows()).contributions(fresh);
    Index largest = -1;
    found.spe.row(2).maxCoeff(&largest);
    EXPECT_EQ(largest, 1);
  }
}

TEST(Contributions, AreRefusedWhereThereIsNoGradient) {
  const Matrix X = training_rows();
  const KernelPCA cosine = KernelPCA({.kernel = {.name = KernelName::cosine}}).fit(X);
  EXPECT_THROW((void)cosine.contributions(X), InvalidArgument);
  CsrMatrix csr;
  csr.cols = 2;
  for (Index i = 0; i < 10; ++i) {
    csr.columns.push_back(static_cast<std::int32_t>(i % 2));
    csr.values.push_back(static_cast<double>(i + 1));
    csr.offsets.push_back(i + 1);
  }
  const KernelPCA sparse = KernelPCA().fit(csr.view());
  EXPECT_THROW((void)sparse.contributions(csr.view()), InvalidArgument);
}

}  // namespace
}  // namespace dualkpca::contributions_test
