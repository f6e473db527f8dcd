#include "dualkpca/model/kernel_pca.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::kernel_pca_test {
namespace {

using test::KernelCase;

// Returns two noisy arcs, whose spectrum has clear gaps.
Matrix arcs(Index n, std::uint64_t seed) {
  Matrix X = 0.05 * random_normal(n, 3, seed);
  for (Index i = 0; i < n; ++i) {
    const double angle = 3.0 * static_cast<double>(i) / static_cast<double>(n);
    X(i, 0) += std::cos(angle) + (i % 2 ? 1.0 : 0.0);
    X(i, 1) += (i % 2 ? -1.0 : 1.0) * std::sin(angle);
  }
  return X;
}

struct Classical {
  Vector eigenvalues;
  Matrix scores, A;  // A = U / sqrt(lambda), the coefficients
};

// Textbook kernel PCA: eigenvectors of the (centred) Gram matrix, by Eigen.
Classical classical(const Matrix& G, Index s) {
  const test::SymmetricEigen eigen(G);
  Classical out;
  out.eigenvalues = eigen.eigenvalues().reverse().head(s);
  Matrix U = eigen.eigenvectors().rowwise().reverse().leftCols(s);
  for (Index j = 0; j < s; ++j) {
    Index at = 0;
    U.col(j).cwiseAbs().maxCoeff(&at);
    if (U(at, j) < 0) U.col(j) *= -1;
  }
  out.scores = U * out.eigenvalues.cwiseSqrt().asDiagonal();
  out.A = U * out.eigenvalues.cwiseSqrt().cwiseInverse().asDiagonal();
  return out;
}

struct Case {
  KernelCase kernel;
  bool center;
  SolverName solver;
};

class ClassicalResult : public testing::TestWithParam<Case> {
 protected:
  static KernelPCAParams params(const Case& c) {
    return {.n_components = 4,
            .kernel = {.name = c.kernel.name,
                       .gamma = c.kernel.gamma,
                       .degree = std::max(1, c.kernel.degree),
                       .coef0 = c.kernel.coef0},
            .center = c.center,
            .solver = {.name = c.solver, .tol = c.solver == SolverName::lanczos ? 1e-16 : 1e-18}};
  }
};

TEST_P(ClassicalResult, ScoresEigenvaluesAndNewRowsAgree) {
  const Case c = GetParam();
  const Matrix X = arcs(90, 1), Z = arcs(23, 2);
  const Matrix K = test::naive_kernel_matrix(c.kernel, X, X);
  const Classical expected = classical(c.center ? test::naive_centered(K) : K, 4);
  const KernelPCA pca = KernelPCA(params(c)).fit(X);
  const double scale = expected.scores.cwiseAbs().maxCoeff();
  EXPECT_LE((pca.eigenvalues() - expected.eigenvalues).cwiseAbs().maxCoeff(), 1e-9 * expected.eigenvalues[0]);
  EXPECT_LE((pca.scores() - expected.scores).cwiseAbs().maxCoeff(), 1e-7 * scale);
  EXPECT_LE((pca.transform(X) - pca.scores()).cwiseAbs().maxCoeff(), 1e-9 * scale);

  Matrix Kz = test::naive_kernel_matrix(c.kernel, Z, X);
  if (c.center) {
    const Vector new_means = Kz.rowwise().mean(), means = K.rowwise().mean();
    Kz = ((Kz.colwise() - new_means).rowwise() - means.transpose()).array() + means.mean();
  }
  EXPECT_LE((pca.transform(Z) - Kz * expected.A).cwiseAbs().maxCoeff(), 1e-7 * scale);
  if (c.kernel.name == KernelName::sigmoid) {  // negative eigenvalues reduce the trace
    EXPECT_TRUE(pca.report().explained_variance_ratio.hasNaN());
    EXPECT_FALSE(pca.report().notes.empty());
    return;
  }
  const double trace = c.center ? test::naive_centered(K).trace() : K.trace();
  EXPECT_LE((pca.report().explained_variance_ratio - expected.eigenvalues / trace).cwiseAbs().maxCoeff(), 1e-9);
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const KernelCase& kernel :
       {KernelCase{KernelName::rbf, 0.8, 1, 0}, KernelCase{KernelName::laplace, 0.5, 1, 0},
        KernelCase{KernelName::laplacian, 0.5, 1, 0}, KernelCase{KernelName::poly, 0.5, 3, 1},
        KernelCase{KernelName::matern32, 0.5, 1, 0}, KernelCase{KernelName::matern52, 0.5, 1, 0}})
    for (const bool center : {true, false})
      for (const SolverName solver : {SolverName::lbfgs, SolverName::dense, SolverName::lanczos, SolverName::rsvd})
        out.push_back({kernel, center, solver});
  // The cosine kernel is not tested here: on three columns it has rank three, and it shares its code with the kernels
  // above.
  for (const bool center : {true, false})
    out.push_back({KernelCase{KernelName::sigmoid, 0.05, 1, 0.1}, center, SolverName::dense});
  return out;
}
INSTANTIATE_TEST_SUITE_P(EveryKernelAndSolver, ClassicalResult, testing::ValuesIn(cases()), [](const auto& p) {
  return test::case_name(p.param.kernel) + (p.param.center ? "_centered_" : "_") +
         std::string(to_string(p.param.solver));
});

TEST(KernelPCA, ATooLargeNumberIsNamedAsItStandsInTheData) {
  Matrix X = arcs(20, 4);
  X(3, 1) = 4e20;
  try {
    (void)KernelPCA({.kernel = {.name = KernelName::poly}, .scale = Scaling::robust, .precision = Precision::float32})
        .fit(X);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("row 4, column 2 is 4e+20"), std::string::npos) << error.what();
  }
}

// The trace is smaller than rounding, which is no sign of negative eigenvalues.
TEST(KernelPCA, RoundingIsNotTakenForAnIndefiniteKernel) {
  const Matrix X = arcs(300, 5);
  const KernelPCA pca =
      KernelPCA({.n_components = 5, .kernel = {.gamma = 1e-9}, .precision = Precision::float32}).fit(X);
  EXPECT_FALSE(pca.report().explained_variance_ratio.hasNaN());
}

TEST(KernelPCA, Float32AgreesWithFloat64) {
  const Matrix X = arcs(1200, 3);
  const KernelPCAParams params{.n_components = 3, .kernel = {.gamma = 0.8}, .solver = {.name = SolverName::krylov}};
  KernelPCAParams wide = params;
  wide.solver.tol = 1e-14;
  const KernelPCA narrow = KernelPCA(params).fit(X), exact = KernelPCA(wide).fit(X);
  EXPECT_EQ(narrow.report().precision, Precision::float32);
  EXPECT_EQ(exact.report().precision, Precision::float64);
  EXPECT_LE((narrow.eigenvalues() - exact.eigenvalues()).cwiseAbs().maxCoeff(), 2e-5 * exact.eigenvalues()[0]);
  EXPECT_LE((narrow.transform(X) - narrow.scores()).cwiseAbs().maxCoeff(),
            1e-5 * narrow.scores().cwiseAbs().maxCoeff());
}

// Far from the origin, float32 has no digits left for the differences, unless the rows are shifted before they are
// rounded.
TEST(KernelPCA, DataFarFromTheOriginLoseNothingInFloat32) {
  const Matrix X = arcs(300, 4);
  Matrix far = X;
  far.array() += 1e6;
  const KernelPCAParams params{
      .n_components = 3, .kernel = {.name = KernelName::laplace, .gamma = 0.8}, .precision = Precision::float32};
  const KernelPCA near_pca = KernelPCA(params).fit(X), far_pca = KernelPCA(params).fit(far);
  EXPECT_LE((near_pca.eigenvalues() - far_pca.eigenvalues()).cwiseAbs().maxCoeff(), 1e-5 * near_pca.eigenvalues()[0]);
  EXPECT_LE((far_pca.transform(far) - far_pca.scores()).cwiseAbs().maxCoeff(),
            1e-5 * far_pca.scores().cwiseAbs().maxCoeff());
}

TEST(KernelPCA, ScoreOfLargestMagnitudeIsPositive) {
  const KernelPCA pca = KernelPCA({.n_components = 5, .kernel = {.gamma = 0.8}}).fit(arcs(100, 5));
  for (Index j = 0; j < 5; ++j) {
    Index at = 0;
    pca.scores().col(j).cwiseAbs().maxCoeff(&at);
    EXPECT_GT(pca.scores()(at, j), 0);
  }
}

TEST(KernelPCA, ShareOfTheVarianceGivesTheFewestComponents) {
  const Matrix X = arcs(200, 6);
  for (const SolverName solver : {SolverName::dense, SolverName::lbfgs}) {
    const KernelPCA pca =
        KernelPCA({.n_components = 0.95, .kernel = {.gamma = 3.0}, .solver = {.name = solver, .tol = 1e-10}}).fit(X);
    const Vector ratio = pca.report().explained_variance_ratio;
    EXPECT_GE(ratio.sum(), 0.95);
    EXPECT_LT(ratio.head(ratio.size() - 1).sum(), 0.95);
    EXPECT_EQ(pca.transform(X).cols(), ratio.size());
    EXPECT_LE((pca.transform(X) - pca.scores()).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(KernelPCA, ScalersAreAppliedToNewRows) {
  Matrix X = arcs(100, 7);
  X.col(1) *= 1000;
  Matrix standardized = X.rowwise() - X.colwise().mean();
  for (Index j = 0; j < 3; ++j) standardized.col(j) /= std::sqrt(standardized.col(j).squaredNorm() / 100);
  const KernelPCAParams plain{.n_components = 2, .kernel = {.gamma = GammaRule::scale}, .solver = {.tol = 1e-12}};
  KernelPCAParams scaled = plain;
  scaled.scale = Scaling::standard;
  const KernelPCA expected = KernelPCA(plain).fit(standardized), pca = KernelPCA(scaled).fit(X);
  EXPECT_NEAR(*pca.report().gamma, *expected.report().gamma, 1e-12);
  EXPECT_LE(
      (pca.transform(Matrix(X.topRows(7))) - expected.transform(Matrix(standardized.topRows(7)))).cwiseAbs().maxCoeff(),
      1e-9);
}

TEST(KernelPCA, PrecomputedEqualsTheKernelItself) {
  const Matrix X = arcs(80, 8), Z = arcs(9, 9);
  const KernelCase rbf{KernelName::rbf, 0.8, 1, 0};
  const KernelPCA direct = KernelPCA({.n_components = 3, .kernel = {.gamma = 0.8}, .solver = {.tol = 1e-12}}).fit(X);
  const KernelPCA given =
      KernelPCA({.n_components = 3, .kernel = {.name = KernelName::precomputed}, .solver = {.tol = 1e-12}})
          .fit(test::naive_kernel_matrix(rbf, X, X));
  EXPECT_LE((direct.scores() - given.scores()).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((direct.transform(Z) - given.transform(test::naive_kernel_matrix(rbf, Z, X))).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_THROW((void)given.transform(Z), DataError);
}

struct Degenerate {
  const char* name;
  Matrix X;
  Index s, rank;
};

class DegenerateData : public testing::TestWithParam<std::tuple<SolverName, Precision, int>> {
 protected:
  static Degenerate data(int which) {
    Matrix twice(40, 3);
    twice << arcs(20, 10), arcs(20, 10);
    switch (which) {
      case 0: return {"constant", Matrix::Constant(12, 3, 2.5), 3, 0};
      case 1: return {"one_row", Matrix::Constant(1, 3, 2.5), 1, 0};
      case 2: return {"duplicates", twice, 30, 19};  // there are 20 different rows, so the rank after centring is 19
      default: return {"n_equals_s", arcs(10, 11), 10, 9};
    }
  }
};

TEST_P(DegenerateData, GivesZeroComponentsAndNeverNan) {
  const auto [solver, precision, which] = GetParam();
  const Degenerate d = data(which);
  // With this gamma every rank is numerically clear.
  const KernelPCA pca = KernelPCA({.n_components = d.s,
                                   .kernel = {.name = KernelName::laplace, .gamma = 3.0},
                                   .solver = {.name = solver},
                                   .precision = precision})
                            .fit(d.X);
  EXPECT_EQ((pca.eigenvalues().array() > 0).count(), d.rank) << pca.eigenvalues().transpose();
  EXPECT_TRUE(pca.scores().allFinite());
  const Matrix Z = pca.transform(d.X);
  EXPECT_TRUE(Z.allFinite());
  EXPECT_LE((Z - pca.scores()).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_TRUE((Z.rightCols(d.s - d.rank).array() == 0).all());
  EXPECT_EQ(pca.report().status, Status::converged) << pca.report().message;
}
INSTANTIATE_TEST_SUITE_P(EverySolver, DegenerateData,
                         testing::Combine(testing::Values(SolverName::lbfgs, SolverName::dense),
                                          testing::Values(Precision::float32, Precision::float64),
                                          testing::Range(0, 4)));

TEST(KernelPCA, BadInputThrows) {
  const Matrix X = arcs(20, 12);
  EXPECT_THROW(KernelPCA({.n_components = 0}).fit(X), InvalidArgument);
  EXPECT_THROW(KernelPCA({.n_components = 21}).fit(X), InvalidArgument);
  EXPECT_THROW(KernelPCA({.n_components = 1.5}).fit(X), InvalidArgument);
  EXPECT_THROW(KernelPCA({.kernel = {.gamma = -1.0}}).fit(X), InvalidArgument);
  EXPECT_THROW(KernelPCA({.threads = -1}).fit(X), InvalidArgument);
  Matrix bad = X;
  bad(3, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(KernelPCA().fit(bad), DataError);
  bad(3, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(KernelPCA().fit(bad), DataError);
  EXPECT_THROW(KernelPCA().fit(Matrix(0, 3)), DataError);
  EXPECT_THROW(KernelPCA({.memory = 1000}).fit(X), ResourceError);
  EXPECT_THROW((void)KernelPCA().transform(X), NotFitted);
  EXPECT_THROW((void)KernelPCA().report(), NotFitted);
  const KernelPCA pca = KernelPCA().fit(X);
  EXPECT_THROW((void)pca.transform(Matrix(random_normal(4, 2, 1))), DataError);
  EXPECT_THROW((void)pca.transform(bad), DataError);
}

TEST(KernelPCA, AFailedFitKeepsTheOldOne) {
  KernelPCA pca = KernelPCA().fit(arcs(20, 13));
  EXPECT_THROW(pca.fit(Matrix(0, 3)), DataError);
  EXPECT_TRUE(pca.is_fitted());
}

TEST(KernelPCA, OptionsWithoutEffectAreNoted) {
  const KernelPCA pca = KernelPCA({.kernel = {.name = KernelName::linear, .gamma = 2.0}}).fit(arcs(20, 14));
  ASSERT_EQ(pca.report().notes.size(), 1U);
  EXPECT_NE(pca.report().notes[0].find("gamma"), std::string::npos);
  EXPECT_FALSE(pca.report().gamma.has_value());
}

TEST(KernelPCA, ConcurrentFitsAgreeAndRestoreBlasThreads) {
  const int host = blas_threads();
  const Matrix X = arcs(600, 15);
  const KernelPCAParams params{
      .n_components = 3, .kernel = {.gamma = 0.8}, .solver = {.name = SolverName::lbfgs}, .threads = 2};
  const Matrix expected = KernelPCA(params).fit(X).scores();
  std::vector<std::thread> threads;
  std::vector<Matrix> found(3);
  for (Matrix& out : found) threads.emplace_back([&] { out = KernelPCA(params).fit(X).scores(); });
  for (std::thread& t : threads) t.join();
  for (const Matrix& out : found) EXPECT_EQ(out, expected);
  EXPECT_EQ(blas_threads(), host);
}

}  // namespace
}  // namespace dualkpca::kernel_pca_test
