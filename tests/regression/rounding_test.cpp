// Fits to large, small or offset numbers, for which float32 once gave wrong results without a message.
#include <gtest/gtest.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "support/naive.hpp"

namespace dualkpca::rounding_test {
namespace {

// The search for a sparsity crashed where every epsilon makes everything zero.
TEST(ScoresThatAreRounding, MakeASparseModelZero) {
  for (const Norm norm : {Norm::rows, Norm::entries}) {
    Matrix X(100, 4);
    X << 1e-9 * random_normal(100, 3, 0), Matrix::Constant(100, 1, 1e3);
    KernelPCA pca({.n_components = 3,
                   .kernel = {.name = KernelName::poly, .gamma = 1e-3, .degree = 1},
                   .loss = {.name = LossName::epsilon_insensitive, .norm = norm},
                   .solver = {.tol = 0},
                   .precision = Precision::float32});
    pca.fit(X);
    EXPECT_TRUE(pca.dual_variables().isZero(0));
    EXPECT_FALSE(pca.report().notes.empty());
  }
}

class Rounding : public testing::TestWithParam<SolverName> {
 protected:
  [[nodiscard]] KernelPCA fit(const Matrix& X, KernelParams kernel, Index s, std::uint64_t seed = 0) const {
    return KernelPCA({.n_components = s,
                      .kernel = kernel,
                      .solver = {.name = GetParam(), .seed = seed},
                      .precision = Precision::float32})
        .fit(X);
  }
  static Vector exact(const Matrix& X, const test::KernelCase& kernel, Index s) {
    return test::eigenvalues_descending(test::naive_centered(test::naive_kernel_matrix(kernel, X, X))).head(s);
  }
};

// Ritz values of a random start are far below the eigenvalues. Components were once dropped because of that.
TEST_P(Rounding, SmallComponentsBesideALargeOneAreKept) {
  Matrix X = random_normal(400, 3, 1);
  X.col(0) = (X.col(0) * 21.0).array() + 1986.0;
  X.col(1) = (X.col(1) * 10.0).array() + 50.0;
  const Vector expected = exact(X, {KernelName::linear, 1, 1, 0}, 3);
  for (const std::uint64_t seed : {0, 1, 2}) {
    const KernelPCA pca = fit(X, {.name = KernelName::linear}, 3, seed);
    EXPECT_EQ(pca.report().status, Status::converged);
    EXPECT_LE((pca.eigenvalues() - expected).cwiseQuotient(expected).cwiseAbs().maxCoeff(), 1e-3) << pca.eigenvalues();
  }
}

TEST_P(Rounding, AWideKernelKeepsItsComponents) {
  const Matrix X = random_normal(400, 5, 2);
  const Vector expected = exact(X, {KernelName::rbf, 1e-5, 1, 0}, 5);
  const KernelPCA pca = fit(X, {.gamma = 1e-5}, 5);
  EXPECT_LE((pca.eigenvalues() - expected).cwiseQuotient(expected).cwiseAbs().maxCoeff(), 0.02) << pca.eigenvalues();
}

TEST_P(Rounding, ALinearKernelFarFromTheOriginIsShifted) {
  const Matrix X = random_normal(300, 4, 3);
  const Vector expected = exact(X, {KernelName::linear, 1, 1, 0}, 3);
  for (const double offset : {300.0, 1e4, 1e8}) {
    Matrix far = X;
    far.array() += offset;
    const KernelPCA pca = fit(far, {.name = KernelName::linear}, 3);
    EXPECT_LE((pca.eigenvalues() - expected).cwiseQuotient(expected).cwiseAbs().maxCoeff(), 1e-4) << offset;
    EXPECT_LE((pca.transform(far) - pca.scores()).cwiseAbs().maxCoeff(), 1e-4) << offset;
  }
}

TEST_P(Rounding, LargeNumbersDoNotOverflowInsideAProduct) {
  const Matrix X = 1e12 * random_normal(300, 4, 4);
  const Vector expected = exact(X, {KernelName::linear, 1, 1, 0}, 2);
  const KernelPCA pca = fit(X, {.name = KernelName::linear}, 2);
  EXPECT_LE((pca.eigenvalues() - expected).cwiseQuotient(expected).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LE((pca.transform(X) - pca.scores()).cwiseAbs().maxCoeff(), 1e-4 * pca.scores().cwiseAbs().maxCoeff());
  EXPECT_LT(pca.report().dual_objective, 0);
}

TEST_P(Rounding, NumbersTooSmallForFloat32AreRefused) {
  EXPECT_THROW((void)fit(1e-20 * random_normal(50, 4, 5), {.name = KernelName::linear}, 2), DataError);
}

// For G = I - 11'/n LAPACK's dsyevr returns no eigenpair, although it reports success.
TEST_P(Rounding, AVeryNarrowKernelIsTheCentredIdentity) {
  for (const double gamma : {1e4, 1e12}) {
    const KernelPCA pca = fit(random_normal(300, 4, 6), {.gamma = gamma}, 2);
    EXPECT_NEAR(pca.eigenvalues()[0], 1, 1e-5);
    EXPECT_NEAR(pca.eigenvalues()[1], 1, 1e-5);
  }
}

TEST_P(Rounding, WhatRoundingHidesIsNoted) {
  const KernelPCA pca = fit(random_normal(100, 4, 7), {.gamma = 1e-12}, 2);
  ASSERT_FALSE(pca.report().notes.empty());
  EXPECT_NE(pca.report().notes[0].find("2 of 2 components are zero"), std::string::npos) << pca.report().notes[0];
  EXPECT_TRUE((pca.transform(random_normal(5, 4, 8)).array() == 0).all());
  EXPECT_LE(pca.report().dual_objective, 0);
}

INSTANTIATE_TEST_SUITE_P(EverySolver, Rounding, testing::Values(SolverName::lbfgs, SolverName::dense),
                         [](const auto& p) { return std::string(to_string(p.param)); });

}  // namespace
}  // namespace dualkpca::rounding_test
