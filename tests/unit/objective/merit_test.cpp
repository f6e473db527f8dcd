#include "objective/merit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dualkpca/core/random.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::merit_test {
namespace {

constexpr Index n = 40, s = 4;
constexpr RankRule exact{.relative = 1e-13, .absolute = 0};

Matrix gram() {
  const Matrix X = random_normal(n, 4, 1);
  return test::naive_centered(test::naive_kernel_matrix({KernelName::rbf, 0.3, 1, 0}, X, X));
}

double naive_dual(const Matrix& G, const Matrix& H, const Loss& loss) {
  const Matrix S = H.transpose() * G * H;
  return 0.5 * H.squaredNorm() + loss.conjugate(H) -
         test::SymmetricEigen(S).eigenvalues().cwiseMax(0).cwiseSqrt().sum();
}

struct Case {
  LossName name;
  Norm norm;
  double parameter;
};

class EveryMerit : public testing::TestWithParam<Case> {
 protected:
  const Loss loss{GetParam().name, GetParam().norm, GetParam().parameter};
  const Matrix G = gram();
};

// d(Z) <= p(H) <= d(H) - 1/2 |H - Z|^2 holds at random points and along the DC algorithm.
TEST_P(EveryMerit, LiesBetweenTheDualsOfBothPoints) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Matrix H = loss.prox(random_normal(n, s, seed));
    for (int k = 0; k < 5; ++k) {
      const Merit at = evaluate_merit(H, G * H, loss, exact);
      EXPECT_NEAR(at.dual, naive_dual(G, H, loss), 1e-9);
      if (at.Z.isZero(0)) break;
      EXPECT_LE(naive_dual(G, at.Z, loss), at.value + 1e-10);
      EXPECT_LE(at.value, naive_dual(G, H, loss) - 0.5 * (H - at.Z).squaredNorm() + 1e-10);
      EXPECT_NEAR(at.residual(), (H - at.Z).norm() / at.Z.norm(), 1e-14);
      H = at.Z;
    }
  }
}

// p(H) is the primal cost -F(Phi W) at the orthonormal directions W of H. The features are explicit here.
TEST_P(EveryMerit, IsThePrimalCostOfTheDirections) {
  const test::SymmetricEigen eigen(G);
  const Matrix Phi = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  const Matrix H = random_normal(n, s, 3);
  const Matrix A = Phi.transpose() * H;
  const test::SymmetricEigen S(A.transpose() * A);
  const Matrix W = A * S.inverse_root();
  ASSERT_LE((W.transpose() * W - Matrix::Identity(s, s)).norm(), 1e-10);
  EXPECT_NEAR(evaluate_merit(H, G * H, loss, exact).value, -loss.value(Phi * W), 1e-10);
}

// The root of an eigenvalue of 1e-16, which is rounding, is 1e-8. So the root and its inverse must drop the same ones.
TEST_P(EveryMerit, IsNotDisturbedByADependentColumn) {
  Matrix H = loss.prox(random_normal(n, s, 4));
  if (loss.name == LossName::huber) H *= 0.5;  // keeps H feasible after the next line
  H.col(s - 1) = 0.5 * H.col(0) + 0.25 * H.col(1);
  const Merit at = evaluate_merit(H, G * H, loss, exact);
  EXPECT_NEAR(0.5 * H.squaredNorm() + loss.conjugate(H) - at.dual, at.Y.cwiseProduct(H).sum(), 1e-12);
  EXPECT_NEAR(at.dual, naive_dual(G, H, loss), 1e-6);
  EXPECT_LT(at.Y.norm(), 2 * std::sqrt(G.trace()));
}

INSTANTIATE_TEST_SUITE_P(All, EveryMerit,
                         testing::Values(Case{LossName::square, Norm::rows, 0}, Case{LossName::huber, Norm::rows, 0.3},
                                         Case{LossName::huber, Norm::entries, 0.2},
                                         Case{LossName::huber, Norm::frobenius, 1},
                                         Case{LossName::epsilon_insensitive, Norm::rows, 0.2},
                                         Case{LossName::epsilon_insensitive, Norm::entries, 0.1},
                                         Case{LossName::epsilon_insensitive, Norm::frobenius, 0.5}),
                         [](const auto& p) {
                           return std::string(to_string(p.param.name)) + "_" + std::string(to_string(p.param.norm));
                         });

// Scores are at most as long as the feature: |y_i| <= sqrt(g_ii) for any H.
TEST(Merit, AnEpsilonAboveEveryFeatureMakesEverythingZero) {
  const Matrix G = gram();
  const double bound = std::sqrt(G.diagonal().maxCoeff());
  for (const Norm norm : {Norm::rows, Norm::entries})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Matrix H = random_normal(n, s, seed);
      const Loss loss{LossName::epsilon_insensitive, norm, bound};
      EXPECT_TRUE(evaluate_merit(H, G * H, loss, exact).Z.isZero(0));
    }
}

TEST(Merit, ZeroIsAFixedPoint) {
  const Matrix zero = Matrix::Zero(n, s);
  const Merit at = evaluate_merit(zero, zero, {LossName::huber, Norm::rows, 1}, exact);
  EXPECT_EQ(at.residual(), 0);
  EXPECT_EQ(at.dual, 0);
}

}  // namespace
}  // namespace dualkpca::merit_test
