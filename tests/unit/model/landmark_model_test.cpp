#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/rows/data_checksum.hpp"
#include "support/csr.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::landmark_model_test {
namespace {

const KernelPCAParams landmark_params{
    .n_components = 4, .kernel = {.gamma = 0.2}, .scale = Scaling::standard, .solver = {.name = SolverName::nystrom}};

TEST(LandmarkModel, IsSmallAndTransformsAsItWasFitted) {
  const Matrix X = random_normal(1500, 3, 1);
  const KernelPCA pca = KernelPCA(landmark_params).fit(X);
  const FitReport& report = pca.report();
  EXPECT_EQ(report.solver, SolverName::nystrom);
  EXPECT_EQ(report.products, 0);
  EXPECT_EQ(report.gram, GramMode::matrix_free);
  ASSERT_TRUE(report.landmarks.has_value());
  EXPECT_EQ(report.support_size, *report.landmarks);
  EXPECT_TRUE(std::isnan(report.dual_objective));
  ASSERT_TRUE(report.trace_interval.has_value());
  EXPECT_LE((*report.trace_interval)[0], (*report.trace_interval)[1]);
  EXPECT_LE((pca.transform(X) - pca.scores()).cwiseAbs().maxCoeff(), 1e-9);

  const test::TempDir directory;
  const std::string path = directory.path("landmarks.safetensors");
  pca.save(path);
  EXPECT_LT(std::filesystem::file_size(path), 100000U);  // the scores would take 48000 bytes, and H as much again
  const KernelPCA loaded = KernelPCA::load(path);
  EXPECT_EQ(loaded.transform(X), pca.transform(X));
  EXPECT_EQ(loaded.report().landmarks, report.landmarks);
  EXPECT_EQ(loaded.scores().size(), 0);
}

TEST(LandmarkModel, AgreesWithAFullFit) {
  const Matrix X = random_normal(900, 2, 1);
  KernelPCAParams full = landmark_params, few = landmark_params;
  full.solver = {.name = SolverName::krylov, .tol = 1e-10};
  few.solver.tol = 1e-8;
  const KernelPCA a = KernelPCA(full).fit(X), b = KernelPCA(few).fit(X);
  EXPECT_LE((a.eigenvalues() - b.eigenvalues()).cwiseAbs().maxCoeff(), 1e-6 * a.eigenvalues()[0]);
  EXPECT_LE((a.scores() - b.scores()).cwiseAbs().maxCoeff(), 1e-3);  // signs agree, too
}

TEST(LandmarkModel, OfAGivenMatrixTakesValuesAgainstAllRows) {
  const Matrix X = random_normal(300, 2, 1);
  Matrix gram(300, 300);
  for (Index i = 0; i < 300; ++i)
    for (Index j = 0; j < 300; ++j) gram(i, j) = std::exp(-0.3 * (X.row(i) - X.row(j)).squaredNorm());
  const KernelPCA pca =
      KernelPCA(
          {.n_components = 3, .kernel = {.name = KernelName::precomputed}, .solver = {.name = SolverName::nystrom}})
          .fit(gram);
  EXPECT_EQ(pca.report().eta_kind,
            EtaKind::estimated);  // a given matrix may not be positive semi-definite
  EXPECT_LE((pca.transform(gram) - pca.scores()).cwiseAbs().maxCoeff(), 1e-8);
  const test::TempDir directory;
  const std::string path = directory.path("given.safetensors");
  pca.save(path);
  EXPECT_EQ(KernelPCA::load(path).transform(gram), pca.transform(gram));
}

TEST(LandmarkModel, ServesAShareOfTheVariance) {
  const Matrix X = random_normal(700, 2, 1);
  KernelPCAParams params = landmark_params;
  params.n_components = 0.8;
  const KernelPCA pca = KernelPCA(params).fit(X);
  EXPECT_GE(pca.report().explained_variance_ratio.sum(), 0.8);
  EXPECT_EQ(pca.scores().cols(), pca.report().n_components);
}

// With float32 rows, the diagonal x'x would differ from the one computed from columns in float64.
TEST(LandmarkModel, TakesKernelsOfTheInnerProduct) {
  const Matrix X = random_normal(700, 5, 1);
  for (const KernelName name : {KernelName::linear, KernelName::poly}) {
    KernelPCAParams params = landmark_params;
    params.kernel = {.name = name, .gamma = 0.1, .degree = 2};
    const KernelPCA pca = KernelPCA(params).fit(X);
    EXPECT_EQ(pca.report().status, Status::converged);
    EXPECT_LE(*pca.report().landmarks, 30);
  }
}

TEST(LandmarkModel, IsNotMadeOfAMatrixWithoutOne) {
  const Matrix X = random_normal(600, 2, 1);
  Matrix K(600, 600);
  for (Index i = 0; i < 600; ++i)
    for (Index j = 0; j < 600; ++j) K(i, j) = -std::exp(-0.3 * (X.row(i) - X.row(j)).squaredNorm());
  EXPECT_THROW(KernelPCA({.kernel = {.name = KernelName::precomputed}}).fit(K), DataError);
}

// Components below the rounding of float32 are missing, and a certificate must account for them.
TEST(Certified, ComponentsLeftOutAsRoundingAreMissing) {
  const Matrix X = random_normal(700, 5, 1);
  const KernelPCA pca =
      KernelPCA({.kernel = {.gamma = 1e-12}, .solver = {.name = SolverName::krylov, .accuracy = Accuracy::certified}})
          .fit(X);
  EXPECT_NE(pca.report().status, Status::converged);
  EXPECT_FALSE(pca.report().eta_kind == EtaKind::certified && pca.report().eta < 0.5);
}

TEST(Certified, AShareOfTheVarianceIsCertifiedForTheComponentsItTakes) {
  const Matrix X = random_normal(200, 30, 5);
  const KernelPCAParams params{.n_components = 0.9,
                               .kernel = {.gamma = 1.0},
                               .solver = {.name = SolverName::krylov, .tol = 1e-3, .accuracy = Accuracy::certified}};
  const KernelPCA pca = KernelPCA(params).fit(X);
  const CheckReport report = pca.check(X);
  EXPECT_GE(pca.report().eta, report.eta_low - 1e-12);
}

TEST(Check, KnowsAGivenMatrixAgain) {
  const Matrix X = random_normal(200, 2, 1);
  Matrix K(200, 200);
  for (Index i = 0; i < 200; ++i)
    for (Index j = 0; j < 200; ++j) K(i, j) = std::exp(-0.3 * (X.row(i) - X.row(j)).squaredNorm());
  const KernelPCA pca = KernelPCA({.kernel = {.name = KernelName::precomputed}}).fit(K);
  EXPECT_EQ(pca.check(K).status, Status::converged);
  K.diagonal().array() += 1e-3;
  EXPECT_THROW((void)pca.check(K), DataError);
}

TEST(Check, BoundsTheErrorOfEverySolver) {
  const Matrix X = random_normal(700, 6, 3);
  const KernelPCAParams exact{.n_components = 5,
                              .kernel = {.gamma = 0.1},
                              .solver = {.name = SolverName::dense},
                              .precision = Precision::float64};
  const double best = KernelPCA(exact).fit(X).eigenvalues().sum();
  for (const SolverName name : {SolverName::krylov, SolverName::nystrom, SolverName::lbfgs, SolverName::dense,
                                SolverName::lanczos, SolverName::rsvd}) {
    KernelPCAParams params = exact;
    params.solver = {.name = name, .tol = 1e-3, .landmarks = 120};
    params.precision = Precision::float32;
    const KernelPCA pca = KernelPCA(params).fit(X);
    const CheckReport report = pca.check(X);
    EXPECT_EQ(report.eta_kind, EtaKind::certified) << to_string(name);
    const double error = 1 + 2 * report.dual_objective / best;
    EXPECT_GE(report.eta, error - 1e-9) << to_string(name);
    EXPECT_LE(report.eta_low, error + 1e-9) << to_string(name);
    EXPECT_GE(report.upper_bound, best * (1 - 1e-12));
    EXPECT_LE(report.lower_bound, best * (1 + 1e-12));
  }
}

TEST(Check, TakesTheTrainingDataAlone) {
  const Matrix X = random_normal(600, 3, 3), Y = random_normal(600, 3, 4);
  for (const SolverName name : {SolverName::krylov, SolverName::nystrom}) {
    KernelPCAParams params = landmark_params;
    params.solver.name = name;
    const KernelPCA pca = KernelPCA(params).fit(X);
    EXPECT_NO_THROW((void)pca.check(X));
    EXPECT_THROW((void)pca.check(Y), DataError);
    EXPECT_THROW((void)pca.check(Matrix(X.topRows(599))), DataError);
  }
}

TEST(Check, ClaimsNothingForAnIndefiniteKernel) {
  const Matrix X = random_normal(200, 3, 3);
  KernelPCAParams params{.n_components = 2, .kernel = {.name = KernelName::sigmoid, .gamma = 0.1, .coef0 = -0.5}};
  const KernelPCA pca = KernelPCA(params).fit(X);
  EXPECT_EQ(pca.check(X).eta_kind, EtaKind::estimated);
  params.solver.accuracy = Accuracy::certified;
  EXPECT_THROW(KernelPCA(params).fit(X), InvalidArgument);
}

TEST(Certified, EverySolverCanBeAskedForIt) {
  const Matrix X = random_normal(600, 5, 3);
  for (const SolverName name : {SolverName::automatic, SolverName::krylov, SolverName::lbfgs, SolverName::dense,
                                SolverName::lanczos, SolverName::rsvd}) {
    const KernelPCA pca = KernelPCA({.n_components = 4,
                                     .kernel = {.gamma = 0.1},
                                     .solver = {.name = name, .tol = 1e-3, .accuracy = Accuracy::certified}})
                              .fit(X);
    EXPECT_EQ(pca.report().status, Status::converged) << to_string(name) << pca.report().message;
    EXPECT_EQ(pca.report().eta_kind, EtaKind::certified) << to_string(name);
    EXPECT_LE(pca.report().eta, 1e-3);
  }
}

TEST(Checksum, IsTheSameForDenseAndSparseRows) {
  const Matrix X = random_normal(40, 5, 1).unaryExpr([](double v) { return v > 0 ? v : 0; });
  const CsrMatrix sparse = test::csr_of(X);
  EXPECT_EQ(checksum(X), checksum(SamplesView(sparse.view())));
  Matrix Y = X;
  Y(39, 4) += 1e-12;
  EXPECT_NE(checksum(X), checksum(Y));
}

}  // namespace
}  // namespace dualkpca::landmark_model_test
