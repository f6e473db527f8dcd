#include "solver/challenge.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dualkpca/gram/stored.hpp"
#include "support/naive.hpp"

namespace dualkpca::challenge_test {
namespace {

constexpr Index n = 120;
const Observer nobody{};

// A matrix with known eigenvectors, and a challenge of solutions that are made of them.
struct Challenged {
  Vector values;
  Matrix Q, G;
  std::unique_ptr<GramOperator> gram;

  explicit Challenged(Vector spectrum, std::uint64_t seed)
      : values(std::move(spectrum)),
        Q(test::random_orthonormal(n, n, seed)),
        G(Q * values.asDiagonal() * Q.transpose()),
        gram(make_precomputed_gram(Matrix(0.5 * (G + G.transpose())), Precision::float64, 1)) {}

  [[nodiscard]] Matrix solution(const std::vector<Index>& chosen) const {
    const Vector lengths = values(chosen).cwiseSqrt();
    return Q(Eigen::all, chosen) * lengths.asDiagonal();
  }
};

Vector falling() { return Vector::LinSpaced(n, 1, n).cwiseInverse(); }

TEST(Challenge, FindsAMissingComponentWhereTheGradientIsZero) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Challenged problem(falling(), seed);
    const SolverParams params{.tol = 1e-4, .seed = seed};
    const RunLimits limits(params, nobody);
    Challenge challenge(*problem.gram, 3, params, limits);
    const Matrix H = problem.solution({0, 1, 3});
    const std::optional<RitzPoint> better = challenge.better_than(H, problem.G * H, 0);
    ASSERT_TRUE(better);
    EXPECT_GT(better->theta.sum(), (1 + 0.5 * params.tol) * H.squaredNorm());
    EXPECT_LE(better->theta.sum(), problem.values.head(3).sum() * (1 + 1e-12));
    EXPECT_LE((better->GH - problem.G * better->H).norm(), 1e-12);
  }
}

TEST(Challenge, BelievesAnExactSolutionAfterThreeProducts) {
  Vector values(n);
  for (Index i = 0; i < n; ++i) values[i] = std::pow(0.5, static_cast<double>(i));
  const Challenged problem(values, 1);
  const SolverParams params{.tol = 1e-6};
  const RunLimits limits(params, nobody);
  Challenge challenge(*problem.gram, 3, params, limits);
  const Matrix H = problem.solution({0, 1, 2});
  EXPECT_FALSE(challenge.better_than(H, problem.G * H, 0));
  EXPECT_LE(challenge.eta(), 1e-12);
  EXPECT_NEAR(challenge.next_value(), values[3], 1e-6);
  EXPECT_EQ(challenge.goal(1e-7), params.tol);
  EXPECT_EQ(problem.gram->counts().products, 3);
}

// The gradient at these solutions is far below the gap of one percent that its estimate supposes.
TEST(Challenge, SupposesNoGapBetweenTheEigenvalues) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Vector values = 0.5 * falling();
    values[0] = 1 + 1e-5;
    values[1] = 1;
    const Challenged problem(values, seed);
    const SolverParams params{.tol = 1e-7, .seed = seed};
    const RunLimits limits(params, nobody);
    Challenge challenge(*problem.gram, 1, params, limits);
    const Matrix H = (problem.Q.col(0) + problem.Q.col(1)) / std::sqrt(2.0), GH = problem.G * H;
    const double error = 1 - H.cwiseProduct(GH).sum() / values[0], seen = 100 * (GH - H).squaredNorm();
    ASSERT_GT(error, 100 * seen);
    const bool is_better = challenge.better_than(H, GH, 0).has_value();
    EXPECT_TRUE(is_better || 10 * challenge.eta() >= error) << challenge.eta();
    if (!is_better) {
      EXPECT_LT(challenge.goal(seen), seen);
    }
  }
}

TEST(Challenge, EndsAfterThreeProductsIfItIsToldTo) {
  const Challenged problem(falling(), 2);
  const SolverParams params{.tol = 1e-12};
  const Observer stops = [](const Progress&) { return false; };
  const RunLimits limits(params, stops);
  Challenge challenge(*problem.gram, 3, params, limits);
  const Matrix H = problem.solution({0, 1, 2});
  (void)challenge.better_than(H, problem.G * H, 0);
  EXPECT_EQ(problem.gram->counts().products, 3);
}

}  // namespace
}  // namespace dualkpca::challenge_test
