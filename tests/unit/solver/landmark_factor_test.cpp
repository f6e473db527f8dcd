#include "solver/landmark_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/solver/solver.hpp"
#include "support/naive.hpp"

namespace dualkpca::landmark_factor_test {
namespace {

struct Points {
  explicit Points(Index n, Index d, double gamma, KernelName name = KernelName::rbf)
      : X(random_normal(n, d, 5)), K(test::naive_kernel_matrix({name, gamma, 1, 0}, X, X)) {}
  Matrix X, K;
};

Matrix factor_of(const LandmarkFactor& factor) {
  return factor.scores(Matrix::Identity(factor.size(), factor.size()), Vector::Zero(factor.size()));
}

class LandmarkFactorTest : public testing::TestWithParam<std::size_t> {
};  // the memory budget holds all of F or nothing of it

TEST_P(LandmarkFactorTest, IsBelowKAndKnowsTheTraceOfTheRest) {
  const Points points(150, 3, 0.3);
  const auto gram = make_precomputed_gram(points.K, Precision::float32, 2);
  LandmarkFactor factor(*gram, 1, GetParam());
  double previous = factor.residual_trace();
  for (int round = 0; round < 4; ++round) {
    ASSERT_TRUE(factor.grow(12));
    EXPECT_LT(factor.residual_trace(), previous);
    previous = factor.residual_trace();
  }
  const std::set<Index> pivots(factor.pivots().begin(), factor.pivots().end());
  EXPECT_EQ(static_cast<Index>(pivots.size()), factor.size());
  const Matrix F = factor_of(factor), E = points.K - F * F.transpose();
  EXPECT_NEAR(factor.residual_trace(), E.trace(), 1e-10);
  EXPECT_GE(test::eigenvalues_descending(E)[149], -1e-11);
  for (const Index pivot : factor.pivots()) EXPECT_LE(E.row(pivot).cwiseAbs().maxCoeff(), 1e-10);
  // The definition of coefficients(): K(:, L) coefficients(V) = F V.
  const Matrix V = random_normal(factor.size(), 3, 2);
  EXPECT_LE((Matrix(points.K(Eigen::all, factor.pivots())) * factor.coefficients(V) - F * V).norm(), 1e-8);
  EXPECT_LE((factor.rows(factor.pivots()) - Matrix(F(factor.pivots(), Eigen::all))).norm(), 1e-9);
}

TEST_P(LandmarkFactorTest, SpectrumIsThatOfTheCentredFactor) {
  const Points points(120, 2, 0.5);
  const auto gram = make_precomputed_gram(points.K, Precision::float64, 1);
  LandmarkFactor factor(*gram, 3, GetParam());
  ASSERT_TRUE(factor.grow(20));
  const Matrix F = factor_of(factor);
  for (const bool centered : {false, true}) {
    const Matrix low = centered ? test::naive_centered(F * F.transpose()) : Matrix(F * F.transpose());
    const auto spectrum = factor.spectrum(5, centered);
    EXPECT_LE((spectrum.values - test::eigenvalues_descending(low).head(5)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_NEAR(spectrum.trace, low.trace(), 1e-9);
    const Matrix Y = factor.scores(spectrum.vectors, spectrum.mean);
    EXPECT_LE((Y.transpose() * Y - Matrix(spectrum.values.asDiagonal())).norm(), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, LandmarkFactorTest, testing::Values(0, 1));

TEST(LandmarkFactor, EndsWhenNothingIsLeft) {
  Matrix A = random_normal(60, 3, 1);
  const Matrix K = A * A.transpose();
  const auto gram = make_precomputed_gram(K, Precision::float64, 1);
  LandmarkFactor factor(*gram, 1, 0);
  while (factor.grow(10)) {
  }
  EXPECT_LE(factor.size(), 4);
  EXPECT_LE(factor.residual_trace(), 1e-11 * factor.trace());
}

TEST(LandmarkFactor, NoticesAnIndefiniteMatrix) {
  Vector values = Vector::Constant(40, 0.1);
  values.tail(10).setConstant(-1);
  values[0] = 30;
  const Matrix K = test::with_spectrum(values, 2);
  const auto gram = make_precomputed_gram(K, Precision::float64, 1);
  LandmarkFactor factor(*gram, 1, 0);
  while (factor.is_positive() && factor.size() < 40 && factor.grow(8)) {
  }
  EXPECT_FALSE(factor.is_positive());
}

// The first landmark explains the whole diagonal of such a matrix.
TEST(LandmarkFactor, LooksForNegativeEigenvaluesBesideTheDiagonal) {
  const Matrix Z = random_normal(80, 4, 1), K = (Z * Z.transpose()).array().sign().matrix();
  const auto gram = make_precomputed_gram(K, Precision::float64, 1);
  LandmarkFactor factor(*gram, 1, 0);
  ASSERT_TRUE(factor.grow(8));
  EXPECT_TRUE(factor.is_positive());
  EXPECT_TRUE(factor.look_for_negative(2));
  EXPECT_FALSE(factor.is_positive());
  for (const SolverName solver : {SolverName::automatic, SolverName::lanczos}) {
    const Matrix wide = Matrix(random_normal(600, 4, 2)), signs = (wide * wide.transpose()).array().sign().matrix();
    const SolveResult result = solve(*make_precomputed_gram(signs, Precision::float64, 1), 1, {.name = solver});
    EXPECT_EQ(result.solver, SolverName::lanczos);
    EXPECT_NEAR(-2 * result.dual_objective / test::eigenvalues_descending(signs)[0], 1, 1e-5);
  }
}

TEST(LandmarkFactor, SeesNoNegativeEigenvaluesInRoundedMatrices) {
  for (const double gamma : {1e-3, 0.3, 10.0}) {
    const Points points(150, 3, gamma);
    const Matrix rounded = points.K.cast<float>().cast<double>();
    const auto gram = make_precomputed_gram(rounded, Precision::float32, 1);
    LandmarkFactor factor(*gram, 1, 0);
    while (factor.size() < 60 && factor.grow(12)) {
    }
    EXPECT_FALSE(factor.look_for_negative(2)) << gamma;
  }
}

TEST(Nystrom, CertificatesAreNeverBelowTheTrueError) {
  int certified = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Points points(100 + static_cast<Index>(seed), 1 + static_cast<Index>(seed % 4),
                        std::pow(10.0, -1.5 + 0.5 * static_cast<double>(seed % 5)),
                        seed % 2 == 0 ? KernelName::rbf : KernelName::laplace);
    const bool centered = seed % 3 != 0;
    std::unique_ptr<GramOperator> gram = make_precomputed_gram(points.K, Precision::float32, 1);
    if (centered) gram = std::make_unique<CenteredGram>(std::move(gram));
    const Index s = 1 + static_cast<Index>(seed % 5);
    const SolveResult result = solve(*gram, s,
                                     {.name = SolverName::nystrom,
                                      .tol = std::pow(10.0, -1 - static_cast<double>(seed % 4)),
                                      .accuracy = Accuracy::certified,
                                      .seed = seed,
                                      .landmarks = seed % 7 == 0 ? 10 : 0},
                                     {.positive = true});
    ASSERT_TRUE(result.landmarks.has_value());
    EXPECT_EQ(gram->counts().products, 0);
    EXPECT_TRUE(std::isnan(result.dual_objective));
    certified += result.eta_kind == EtaKind::certified ? 1 : 0;
    const Matrix G = centered ? test::naive_centered(points.K) : points.K;
    const double best = test::eigenvalues_descending(G).head(s).sum();
    EXPECT_GE(result.eta, 1 - result.H.squaredNorm() / best - 1e-12) << seed;
    EXPECT_LE(result.landmarks->trace_low, G.trace() + 1e-9);
    EXPECT_GE(result.landmarks->trace_high, G.trace() - 1e-9);
    // The directions are orthonormal, and H contains the projections onto them.
    const Matrix KL = points.K(result.landmarks->rows, result.landmarks->rows);
    const Matrix& B = result.landmarks->coefficients;
    EXPECT_LE((B.transpose() * KL * B - Matrix::Identity(s, s)).norm(), 1e-6);
    const Matrix KnL = points.K(Eigen::all, result.landmarks->rows);
    EXPECT_LE(((KnL * B).rowwise() - result.landmarks->offset.transpose() - result.H).norm(), 1e-6);
  }
  EXPECT_EQ(certified, 60);
}

TEST(Nystrom, ClaimsNoCertificateForAMatrixThatMayBeIndefinite) {
  const Points points(200, 2, 0.1);
  const auto gram = make_precomputed_gram(points.K, Precision::float64, 1);
  const SolveResult result = solve(*gram, 3, {.name = SolverName::nystrom, .tol = 1e-3});
  EXPECT_EQ(result.eta_kind, EtaKind::estimated);
  EXPECT_EQ(result.status, Status::converged);
}

TEST(Nystrom, TheEstimateSeesRowsFarFromEverything) {
  // There are a cluster and twelve distant points. The error of the landmarks is in few rows, which a uniform sample
  // misses.
  Matrix X = 0.3 * random_normal(900, 3, 4);
  X.bottomRows(12) += 6 * random_normal(12, 3, 5);
  const Matrix K = test::naive_kernel_matrix({KernelName::rbf, 0.5, 1, 0}, X, X);
  const double best = test::eigenvalues_descending(K).head(8).sum();
  const auto gram = make_precomputed_gram(K, Precision::float64, 1);
  for (const double tol : {1e-2, 1e-3, 1e-4}) {
    const SolveResult result = solve(*gram, 8, {.name = SolverName::nystrom, .tol = tol});
    EXPECT_LE(1 - result.H.squaredNorm() / best, tol);
  }
}

TEST(Automatic, SaysWhatItChoseAndWhy) {
  const Points easy(800, 2, 0.1), hard(800, 30, 0.05);
  const auto of = [](const Matrix& K, const GramFacts& facts) {
    const auto gram = make_precomputed_gram(K, Precision::float64, 1);
    const SolveResult result = solve(*gram, 4, {}, facts);
    EXPECT_FALSE(result.reason.empty());
    return result.solver;
  };
  EXPECT_EQ(of(easy.K, {.positive = true}), SolverName::nystrom);
  EXPECT_EQ(of(hard.K, {.positive = true}), SolverName::krylov);
  EXPECT_EQ(of(hard.K, {.indefinite = true}), SolverName::lanczos);
  EXPECT_EQ(of(hard.K.topLeftCorner(300, 300), {}), SolverName::dense);
}

TEST(Automatic, WithoutRoomForGTheLandmarksHaveToDo) {
  const Points hard(900, 30, 0.05);
  const auto gram = make_precomputed_gram(hard.K, Precision::float64, 1);
  const SolveResult result =
      solve(*gram, 4, {.tol = 1e-6, .landmarks = 100}, {.positive = true, .storable = false, .memory = 1 << 20});
  EXPECT_EQ(result.solver, SolverName::nystrom);
  EXPECT_EQ(gram->counts().products, 0);
  EXPECT_NE(result.status, Status::converged);
  EXPECT_NE(result.message.find("memory"), std::string::npos);
}

TEST(Automatic, WarmAndColdStartsAgree) {
  const Points points(1500, 12, 0.1, KernelName::laplace);
  const auto gram = make_precomputed_gram(points.K, Precision::float64, 2);
  const SolveResult warm = solve(*gram, 6, {.tol = 1e-10}, {.positive = true});
  const Index products = gram->counts().products;
  const SolveResult cold = solve(*gram, 6, {.name = SolverName::krylov, .tol = 1e-10});
  EXPECT_EQ(warm.solver, SolverName::krylov);
  EXPECT_NEAR(warm.dual_objective, cold.dual_objective, 1e-9 * std::abs(cold.dual_objective));
  EXPECT_LE(products, gram->counts().products - products);
}

}  // namespace
}  // namespace dualkpca::landmark_factor_test
