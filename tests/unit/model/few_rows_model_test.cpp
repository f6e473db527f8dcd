#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "objective/merit.hpp"
#include "support/naive.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::few_rows_model_test {
namespace {

constexpr double gamma_used = 0.15;

Matrix training_rows() {
  Matrix X = random_normal(300, 4, 1);
  X.topRows(10) *= 4;
  return X;
}

KernelPCAParams sparse_params(Norm norm = Norm::rows, double share = 0.8) {
  return {.n_components = 3,
          .kernel = {.gamma = gamma_used},
          .loss = {.name = LossName::epsilon_insensitive, .norm = norm, .sparsity = share},
          .precision = Precision::float64};
}

struct Case {
  const char* name;
  KernelName kernel;
  Norm norm;
  bool center;
  Precision precision;
};

class FewRowsModel : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] KernelPCAParams params() const {
    KernelPCAParams params = sparse_params(GetParam().norm);
    params.kernel.name = GetParam().kernel;
    params.center = GetParam().center;
    params.precision = GetParam().precision;
    return params;
  }
};

TEST_P(FewRowsModel, HoldsFewRowsAndTransformsAsItWasFitted) {
  const Matrix X = training_rows();
  const KernelPCA pca = KernelPCA(params()).fit(X);
  const FitReport& report = pca.report();
  EXPECT_EQ(report.status, Status::converged) << report.message;
  EXPECT_NEAR(*report.sparsity, 0.8, 0.01);
  const Index support = (pca.dual_variables().cwiseAbs().rowwise().maxCoeff().array() > 0).count();
  EXPECT_EQ(report.support_size, support);
  EXPECT_LE(report.stored_rows, support + 30);
  EXPECT_EQ(report.center_landmarks.has_value(), GetParam().center && GetParam().kernel != KernelName::linear);
  const double bound = GetParam().precision == Precision::float64 ? 1e-9 : 1e-4;
  const double size = pca.scores().cwiseAbs().maxCoeff();
  EXPECT_LE((pca.transform(X) - pca.scores()).cwiseAbs().maxCoeff(), bound * size);

  const test::TempDir directory;
  const std::string path = directory.path("model");
  pca.save(path);
  const KernelPCA loaded = KernelPCA::load(path);
  const Matrix fresh = random_normal(20, 4, 2);
  EXPECT_EQ(loaded.transform(fresh), pca.transform(fresh));
  EXPECT_EQ(loaded.dual_variables(), pca.dual_variables());
  EXPECT_EQ(loaded.row_weights().size(), 300);
  EXPECT_LE((loaded.row_weights() - pca.row_weights()).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(loaded.scores().size(), 0);
  const CheckReport check = loaded.check(X);
  EXPECT_EQ(check.eta_kind, EtaKind::stationary);
  EXPECT_LE(check.eta, 2 * report.tol);
  EXPECT_NEAR(check.dual_objective, report.dual_objective, 1e-5 * std::abs(report.dual_objective));
}

INSTANTIATE_TEST_SUITE_P(All, FewRowsModel,
                         testing::Values(Case{"rows", KernelName::rbf, Norm::rows, true, Precision::float64},
                                         Case{"rows_float32", KernelName::rbf, Norm::rows, true, Precision::float32},
                                         Case{"rows_uncentred", KernelName::rbf, Norm::rows, false, Precision::float64},
                                         Case{"entries", KernelName::rbf, Norm::entries, true, Precision::float64},
                                         Case{"laplace", KernelName::laplace, Norm::rows, true, Precision::float64},
                                         Case{"linear", KernelName::linear, Norm::rows, true, Precision::float64},
                                         Case{"linear_uncentred", KernelName::linear, Norm::entries, false,
                                              Precision::float64},
                                         Case{"poly", KernelName::poly, Norm::rows, true, Precision::float64}),
                         [](const auto& p) { return p.param.name; });

// Everything again from explicit matrices: the centre from its weights, the scores from the features about it.
TEST(FewRowsModelOfRbf, IsExactForItsCentre) {
  const Matrix X = training_rows();
  const KernelPCA pca = KernelPCA(sparse_params()).fit(X);
  const Matrix K = test::naive_kernel_matrix({KernelName::rbf, gamma_used, 1, 0}, X, X);
  // The distance of the mean from the centre, and the trace about that, say which centre it was.
  const Matrix G = test::naive_centered(K);
  const double error = *pca.report().center_error,
               trace = pca.eigenvalues().sum() / pca.report().explained_variance_ratio.sum();
  EXPECT_NEAR(trace, G.trace() + 300 * error * error, 1e-8 * trace);
  EXPECT_LT(error, 0.2);
  // Scores about the mean are those about the centre, less their means.
  const Matrix A = pca.transform(X);
  const Matrix centred = A.rowwise() - A.colwise().mean();
  EXPECT_LE(centred.squaredNorm(), test::eigenvalues_descending(G).head(3).sum() * (1 + 1e-9));
}

TEST(FewRowsModelOfRbf, ItsFileShrinksWithTheSupport) {
  const Matrix X = random_normal(600, 20, 3);
  const test::TempDir directory;
  std::uintmax_t previous = std::numeric_limits<std::uintmax_t>::max();
  for (const double share : {0.3, 0.6, 0.9}) {
    KernelPCAParams params = sparse_params(Norm::rows, share);
    params.kernel.gamma = 0.03;
    const KernelPCA pca = KernelPCA(params).fit(X);
    const std::string path = directory.path("model");
    pca.save(path);
    const std::uintmax_t size = std::filesystem::file_size(path);
    EXPECT_LT(size, previous);
    EXPECT_GT(size, pca.report().model_bytes);
    previous = size;
  }
  EXPECT_LT(previous, 600U * 20 * 8 / 2);
}

TEST(FewRowsModelOfRbf, LandmarksOfTheCentreAreAnOption) {
  const Matrix X = training_rows();
  KernelPCAParams params = sparse_params();
  params.solver.landmarks = 5;
  const FitReport few = KernelPCA(params).fit(X).report();
  EXPECT_EQ(few.center_landmarks, 5);
  params.solver.landmarks = 100;
  EXPECT_LT(*KernelPCA(params).fit(X).report().center_error, *few.center_error);
}

TEST(FewRowsModelOfRbf, SparseRowsGiveWhatDenseOnesDo) {
  Matrix X = training_rows();
  X = (X.array().abs() < 0.5).select(0.0, X);
  std::vector<Index> offsets = {0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) {
      if (X(i, j) == 0) continue;
      columns.push_back(static_cast<std::int32_t>(j));
      values.push_back(X(i, j));
    }
    offsets.push_back(static_cast<Index>(values.size()));
  }
  const SparseRows<double> rows{offsets.data(), columns.data(), values.data(), X.rows(), X.cols()};
  KernelPCAParams params = sparse_params();
  params.loss.sparsity.reset();
  params.loss.epsilon = 0.4;
  const KernelPCA dense = KernelPCA(params).fit(X), sparse = KernelPCA(params).fit(rows);
  // Both have a relative error of tol: a row whose score is as long as epsilon may be zero in one of them alone.
  const Vector lengths = dense.scores().rowwise().norm();
  const Index at_the_edge = ((lengths.array() - 0.4).abs() < 1e-3).count();
  EXPECT_LE(at_the_edge, 5);
  EXPECT_LE(std::abs(dense.report().support_size - sparse.report().support_size), at_the_edge);
  EXPECT_LE((dense.transform(X) - sparse.transform(rows)).cwiseAbs().maxCoeff(), 1e-5);
  const test::TempDir directory;
  const std::string path = directory.path("model");
  sparse.save(path);
  EXPECT_EQ(KernelPCA::load(path).transform(X), sparse.transform(X));
}

// Centring equal rows leaves nothing, for any loss. The file must be readable nevertheless.
TEST(FewRowsModelOfRbf, OfNothingCanBeWrittenAndRead) {
  const Matrix X = Matrix::Constant(30, 2, 1.0);
  const KernelPCA pca = KernelPCA(sparse_params()).fit(X);
  EXPECT_EQ(pca.report().support_size, 0);
  const test::TempDir directory;
  const std::string path = directory.path("model");
  pca.save(path);
  EXPECT_EQ(KernelPCA::load(path).transform(X), Matrix::Zero(30, 3));
}

TEST(RobustModel, KeepsWeightsAndNamesTheRowsThatWereClippedMost) {
  const Matrix X = training_rows();
  std::vector<std::string> ids;
  for (int i = 0; i < 300; ++i) ids.push_back("row-" + std::to_string(i));
  const KernelPCA pca = KernelPCA({.n_components = 2,
                                   .kernel = {.name = KernelName::linear},
                                   .loss = {.name = LossName::huber, .kappa_ratio = 0.2},
                                   .precision = Precision::float64})
                            .fit(X, {}, ids);
  const FitReport& report = pca.report();
  const Vector weights = pca.row_weights();
  ASSERT_EQ(weights.size(), 300);
  EXPECT_EQ(*report.weighted_rows, (weights.array() < 1).count());
  ASSERT_EQ(report.extreme_rows.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    const ExtremeRow& row = report.extreme_rows[i];
    EXPECT_EQ(row.id, "row-" + std::to_string(row.index));
    EXPECT_EQ(row.weight, weights[row.index]);
    if (i > 0) {
      EXPECT_GE(row.weight, report.extreme_rows[i - 1].weight);
    }
  }
  EXPECT_EQ(report.extreme_rows[0].weight, weights.minCoeff());
  EXPECT_LT(report.extreme_rows[0].index, 10);  // one of the outliers
  EXPECT_NEAR(*report.kappa, 0.2 * *report.kappa_max, 1e-12);
  EXPECT_EQ(*report.sparsity, 0);

  const test::TempDir directory;
  const std::string path = directory.path("model");
  pca.save(path);
  const KernelPCA loaded = KernelPCA::load(path);
  EXPECT_EQ(loaded.row_weights(), weights);
  EXPECT_EQ(loaded.report().extreme_rows[3].id, report.extreme_rows[3].id);
  EXPECT_EQ(loaded.report().starts.size(), report.starts.size());
  EXPECT_EQ(loaded.check(X).status, Status::converged);
  EXPECT_THROW((void)KernelPCA().fit(X, {}, std::vector<std::string>{"one"}), InvalidArgument);
}

// The weights are |z_i| / |y_i| with the scores as they are: no more than kappa / |y_i|.
TEST(RobustModel, WeightsFollowFromTheScores) {
  const Matrix X = training_rows();
  const KernelPCA pca = KernelPCA({.n_components = 3,
                                   .kernel = {.gamma = 0.3},
                                   .loss = {.name = LossName::huber, .kappa_ratio = 0.6},
                                   .precision = Precision::float64})
                            .fit(X);
  for (Index i = 0; i < 300; ++i) {
    const double size = pca.scores().row(i).norm();
    EXPECT_NEAR(pca.row_weights()[i], std::min(1.0, *pca.report().kappa / size), 1e-12);
  }
}

TEST(RobustModel, EntriesOnlyPermutesItsColumns) {
  const Matrix X = training_rows();
  const KernelPCA pca = KernelPCA({.n_components = 3,
                                   .kernel = {.gamma = 0.3},
                                   .loss = {.name = LossName::huber, .norm = Norm::entries, .kappa_ratio = 0.5},
                                   .solver = {.tol = 1e-9},
                                   .precision = Precision::float64})
                            .fit(X);
  const Matrix H = pca.dual_variables();
  const Matrix G = test::naive_centered(test::naive_kernel_matrix({KernelName::rbf, 0.3, 1, 0}, X, X));
  const Merit at = evaluate_merit(H, G * H, {LossName::huber, Norm::entries, *pca.report().kappa}, {.relative = 1e-12});
  EXPECT_LE(at.residual(), 1e-8);
  EXPECT_NEAR(at.dual, pca.report().dual_objective, 1e-9 * std::abs(at.dual));
  for (Index j = 0; j + 1 < 3; ++j) EXPECT_GE(H.col(j).norm(), H.col(j + 1).norm());
  EXPECT_LE((pca.transform(X) - pca.scores()).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(RobustModel, AShareOfTheVarianceIsThatOfTheSquareLoss) {
  const Matrix X = training_rows();
  KernelPCAParams params{.n_components = 0.7, .kernel = {.gamma = 0.1}, .precision = Precision::float64};
  const Index s = KernelPCA(params).fit(X).report().n_components;
  params.loss = {.name = LossName::huber, .kappa_ratio = 0.5};
  EXPECT_EQ(KernelPCA(params).fit(X).report().n_components, s);
}

TEST(RobustModel, WhatDoesNotGoTogetherIsRefused) {
  const Matrix X = training_rows();
  const auto refuses = [&](KernelPCAParams params, const char* says) {
    try {
      KernelPCA(params).fit(X);
      ADD_FAILURE() << says;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  const LossParams huber{.name = LossName::huber};
  refuses({.loss = huber, .solver = {.name = SolverName::krylov}}, "solver krylov supports only the square loss");
  refuses({.loss = huber, .solver = {.accuracy = Accuracy::certified}}, "accuracy certified");
  refuses({.kernel = {.name = KernelName::sigmoid}, .loss = huber}, "sigmoid");
  refuses({.loss = {.name = LossName::huber, .kappa = 1e-200}}, "less than rounding");
  refuses({.loss = {.name = LossName::epsilon_insensitive, .epsilon = 1e6}}, "everything zero");
}

}  // namespace
}  // namespace dualkpca::few_rows_model_test
