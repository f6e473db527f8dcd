#include "solver/center_landmarks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/solver/solver.hpp"
#include "gram/reduced_center.hpp"
#include "solver/landmark_factor.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::center_landmarks_test {
namespace {

Matrix kernel_of_points(KernelName name, Index n, Index d, double gamma) {
  const Matrix X = random_normal(n, d, 5);
  return test::naive_kernel_matrix({name, gamma, 1, 0}, X, X);
}

ReducedCenter center_of(const Matrix& K, Index count, std::uint64_t seed = 1) {
  return choose_center(*make_precomputed_gram(K, Precision::float64, 1), count, seed);
}

double naive_error(const Matrix& K, const ReducedCenter& center) {
  const Index n = K.rows();
  const Vector v =
      Vector::Constant(n, 1.0 / static_cast<double>(n)) - test::spread(n, center.landmarks, center.weights);
  return std::sqrt(std::max(0.0, v.dot(K * v)));
}

TEST(LandmarkFactorMeans, AreThoseOfTheFactor) {
  const Matrix K = kernel_of_points(KernelName::rbf, 150, 3, 0.3);
  const auto gram = make_precomputed_gram(K, Precision::float64, 1);
  for (const std::size_t memory : {0, 1}) {
    LandmarkFactor factor(*gram, 1, memory);
    ASSERT_TRUE(factor.grow(20));
    const Matrix F = factor.scores(Matrix::Identity(factor.size(), factor.size()), Vector::Zero(factor.size()));
    EXPECT_LE((factor.mean() - F.colwise().mean().transpose()).norm(), 1e-12);
    EXPECT_LE((factor.column_norms() - F.colwise().squaredNorm().transpose()).norm(), 1e-10);
    EXPECT_NEAR(factor.trace() - factor.column_norms().sum(), factor.residual_trace(), 1e-9);
  }
}

TEST(ChooseCenter, ProjectsTheMeanOnTheLandmarks) {
  const Matrix K = kernel_of_points(KernelName::laplace, 300, 5, 0.3);
  const ReducedCenter center = center_of(K, 40);
  ASSERT_EQ(center.landmarks.size(), 40U);
  ASSERT_EQ(center.weights.size(), 40);
  EXPECT_EQ(std::set<Index>(center.landmarks.begin(), center.landmarks.end()).size(), 40U);
  // The remainder of the mean is orthogonal to every landmark: K_LL c = m_L.
  const Matrix KL = K(center.landmarks, center.landmarks);
  const Vector mean = K.rowwise().mean();
  EXPECT_LE((KL * center.weights - Vector(mean(center.landmarks))).norm(), 1e-12);
}

TEST(ChooseCenter, TheErrorFallsWithTheNumberOfLandmarks) {
  const Matrix K = kernel_of_points(KernelName::laplace, 400, 4, 0.5);
  double previous = std::sqrt(K.mean());
  for (const Index count : {4, 16, 64, 256}) {
    const double error = naive_error(K, center_of(K, count));
    EXPECT_LT(error, 0.7 * previous) << count;
    previous = error;
  }
  EXPECT_LT(naive_error(K, center_of(K, 400)), 1e-10);
}

// Returns the share of the trace of K that the first rows do not explain.
double unexplained(const Matrix& K, std::vector<Index> rows, std::size_t count) {
  rows.resize(count);
  const Matrix columns = K(Eigen::all, rows), block = K(rows, rows);
  return 1 - (columns * test::solve_positive(block, columns.transpose())).trace() / K.trace();
}

TEST(ChooseCenter, EndsWithThePivotThatLeavesAMillionthOfTheTrace) {
  for (const Index d : {1, 2, 3}) {
    const Matrix K = kernel_of_points(KernelName::rbf, 400, d, 0.1);
    const ReducedCenter center = center_of(K, 150);
    const std::size_t count = center.landmarks.size();
    ASSERT_GE(count, 2U);
    EXPECT_LE(unexplained(K, center.landmarks, count), 1.01e-6);
    EXPECT_GT(unexplained(K, center.landmarks, count - 1), 0.99e-6);
  }
}

TEST(ChooseCenter, WeightsStayModerateHoweverSmoothTheKernel) {
  for (const Index d : {1, 2, 3})
    for (const double gamma : {0.003, 0.03, 0.3})
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Matrix K = kernel_of_points(KernelName::rbf, 400, d, gamma);
        const ReducedCenter center = center_of(K, 150, seed);
        EXPECT_LT(center.weights.lpNorm<1>(), 10) << d << " " << gamma << " " << seed;
        EXPECT_LT(naive_error(K, center), 1.01e-3);  // root of the share of the trace that is left
        EXPECT_FALSE(center.landmarks.empty());
      }
}

TEST(ChooseCenter, StopsAtTheFirstPivotThatLeavesNothing) {
  const Matrix A = random_normal(200, 3, 1).array() + 1;  // the mean is not zero
  const Matrix K = A * A.transpose();
  const ReducedCenter center = center_of(K, 100);
  EXPECT_EQ(center.landmarks.size(), 3U);
  EXPECT_LE(naive_error(K, center), 1e-6);
}

TEST(ChooseCenter, DependsOnTheSeedAlone) {
  const Matrix K = kernel_of_points(KernelName::laplace, 300, 5, 0.3);
  EXPECT_EQ(center_of(K, 20, 1).landmarks, center_of(K, 20, 1).landmarks);
  EXPECT_NE(center_of(K, 20, 1).landmarks, center_of(K, 20, 2).landmarks);
}

TEST(ChooseCenter, OfNoRowsIsTheOriginAndMoreRowsThanThereAreIsAllOfThem) {
  const Matrix K = kernel_of_points(KernelName::laplace, 50, 5, 3);
  EXPECT_TRUE(center_of(K, 0).landmarks.empty());
  EXPECT_EQ(center_of(K, 0).weights.size(), 0);
  EXPECT_EQ(center_of(K, 80).landmarks.size(), 50U);
  EXPECT_TRUE(center_of(Matrix::Zero(20, 20), 5).landmarks.empty());
  EXPECT_THROW((void)center_of(K, -1), InvalidArgument);
}

TEST(ChooseCenter, RefusesAnIndefiniteMatrix) {
  Vector values = Vector::Constant(40, 0.1);
  values.tail(10).setConstant(-1);
  values[0] = 30;
  EXPECT_THROW((void)center_of(test::with_spectrum(values, 2), 40), DataError);
}

TEST(ChooseCenter, AFitInFloat32AgreesWithOneInFloat64AndWithTheTrueCentre) {
  const Matrix K = kernel_of_points(KernelName::laplace, 700, 4, 0.5);
  const ReducedCenter center = center_of(K, 100);
  const auto explained = [&](Precision precision) {
    const ReducedCenterGram gram(make_precomputed_gram(K, precision, 2), center.landmarks, center.weights);
    EXPECT_NEAR(gram.center_error(), naive_error(K, center), 1e-5);
    return -2 * solve(gram, 6, {.name = SolverName::krylov, .tol = 1e-9}).primal_objective;
  };
  const double wide = explained(Precision::float64);
  EXPECT_NEAR(explained(Precision::float32), wide, 1e-6 * wide);
  const double at_mean = test::eigenvalues_descending(test::naive_centered(K)).head(6).sum();
  EXPECT_GE(wide, at_mean) << "the mean is the centre that leaves least";
  const double error = naive_error(K, center);
  EXPECT_LE(wide, at_mean + 700 * error * error);
}

}  // namespace
}  // namespace dualkpca::center_landmarks_test
