// Tests of prop:general_dual of the paper: the infimum of -F(Phi W) over orthonormal W equals that of d(H) over H. The
// features are explicit here, and the primal side is computed from them by singular values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/solver/solver.hpp"
#include "objective/merit.hpp"
#include "support/naive.hpp"

namespace dualkpca::strong_duality_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Returns n x p features with columns of decreasing length and three outlying rows.
Matrix features(Index n, Index p, std::uint64_t seed) {
  Matrix Phi = random_normal(n, p, seed);
  for (Index k = 0; k < p; ++k) Phi.col(k) *= std::pow(0.8, static_cast<double>(k));
  Phi.topRows(3) *= 3;
  return Phi;
}

std::vector<double> naive_sizes(const Matrix& Y, Norm norm) {
  std::vector<double> sizes;
  if (norm == Norm::frobenius) return {std::sqrt(Y.squaredNorm())};
  for (Index i = 0; i < Y.rows(); ++i) {
    if (norm == Norm::rows) sizes.push_back(std::sqrt(Y.row(i).squaredNorm()));
    for (Index j = 0; j < Y.cols() && norm == Norm::entries; ++j) sizes.push_back(std::abs(Y(i, j)));
  }
  return sizes;
}

// Returns F(Y) by its definition, the least 1/2 |Y - M|^2 + Psi(M). Psi is kappa times the norm for huber and indicates
// a ball for epsilon_insensitive. The best M has the directions of Y and the size m.
double envelope(const Loss& loss, const Matrix& Y) {
  const bool is_huber = loss.name == LossName::huber;
  double sum = 0;
  for (const double t : naive_sizes(Y, loss.norm)) {
    const double m = is_huber ? std::max(0.0, t - loss.parameter) : std::min(t, loss.parameter);
    sum += 0.5 * (t - m) * (t - m) + (is_huber ? loss.parameter * m : 0);
  }
  return sum;
}

// Returns a loss whose hyperparameter changes some of the sizes of Y and not all.
Loss loss_for(LossName name, Norm norm, const Matrix& Y) {
  std::vector<double> sizes = naive_sizes(Y, norm);
  std::sort(sizes.begin(), sizes.end());
  if (name == LossName::square) return {};
  return {name, norm, name == LossName::huber ? 0.5 * sizes.back() : 0.5 * sizes[sizes.size() / 2]};
}

using Case = std::tuple<LossName, Norm>;

class PropGeneralDual : public testing::TestWithParam<Case> {
 protected:
  const LossName name = std::get<0>(GetParam());
  const Norm norm = std::get<1>(GetParam());

  static double dual(const Matrix& G, const Matrix& H, const Loss& loss) {
    return evaluate_merit(H, G * H, loss, {}).dual;
  }
  static SolveResult solution(const GramOperator& gram, Index s, const Loss& loss) {
    SolveResult square = solve(gram, s, {.name = SolverName::dense, .tol = 1e-12});
    if (loss.name == LossName::square) return square;
    LossParams params{.name = loss.name, .norm = loss.norm};
    (loss.name == LossName::huber ? params.kappa : params.epsilon) = loss.parameter;
    return solve_loss(gram, s, params, {.name = SolverName::panoc, .tol = 1e-9, .max_iter = 20000}, square);
  }
};

TEST_P(PropGeneralDual, AtTheSolutionBothObjectivesAreOne) {
  constexpr Index n = 60, p = 6, s = 3;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Matrix Phi = features(n, p, seed), G = Phi * Phi.transpose();
    const auto gram = make_precomputed_gram(G, Precision::float64, 1);
    const Loss loss = loss_for(name, norm, solve(*gram, s, {.name = SolverName::dense}).H);
    const SolveResult found = solution(*gram, s, loss);
    ASSERT_EQ(found.status, Status::converged) << found.message;
    const double rounding = 100 * n * epsilon * Phi.squaredNorm();

    const Matrix W = test::polar(Phi.transpose() * found.H).W, Y = Phi * W;
    ASSERT_LE((W.transpose() * W - Matrix::Identity(s, s)).norm(), 100 * epsilon);
    const double primal = -envelope(loss, Y);
    EXPECT_NEAR(found.primal_objective, primal, rounding);
    // d(H) - p(H) is the excess of 1/2 |H|^2 + Psi*(H) - <H, Y> over its minimum, which is at Z. L is the Lipschitz
    // constant of Psi* where it is finite, and gives the bound below.
    const Matrix Z = loss.prox(Y);
    const double distance = (found.H - Z).norm();
    const auto count = static_cast<double>(naive_sizes(Y, norm).size());
    const double L = name == LossName::epsilon_insensitive ? loss.parameter * std::sqrt(count) : 0;
    EXPECT_LE(distance, 1e-6 * Z.norm());
    EXPECT_NEAR(found.dual_objective, primal, distance * (0.5 * distance + (Y - Z).norm() + L) + rounding);
  }
}

// The two halves of the proof. For every W there is an H with d(H) not above its objective, and for every H such a W,
// so the infima are equal. This is not weak duality as in convex problems: here neither side bounds the other from
// below.
TEST_P(PropGeneralDual, EveryPointOfOneSideHasOneOfTheOtherThatIsNotAboveIt) {
  constexpr Index n = 40, p = 6, s = 3;
  const Matrix Phi = features(n, p, 4), G = Phi * Phi.transpose();
  const double rounding = 100 * n * epsilon * Phi.squaredNorm();
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Matrix W = test::random_orthonormal(p, s, seed), Y = Phi * W;
    const Loss loss = loss_for(name, norm, Y);
    const double primal = -envelope(loss, Y);
    EXPECT_LE(dual(G, loss.prox(Y), loss), primal + rounding);

    const Matrix H = loss.prox(std::pow(10.0, static_cast<double>(seed % 5) - 2) * random_normal(n, s, seed + 1000));
    if (H.isZero(0)) continue;
    const Matrix Y_own = Phi * test::polar(Phi.transpose() * H).W;
    const double primal_own = -envelope(loss, Y_own);
    EXPECT_LE(primal_own, dual(G, H, loss) + rounding);
  }
}

// With two feature dimensions one angle describes all orthonormal W, so the test finds the infimum by trying all
// angles.
TEST_P(PropGeneralDual, BothInfimaEqualTheLowestOfAllAngles) {
  constexpr Index n = 30;
  constexpr int angles = 20000;
  for (const Index s : {Index{1}, Index{2}}) {
    const Matrix Phi = features(n, 2, 5), G = Phi * Phi.transpose();
    const auto gram = make_precomputed_gram(G, Precision::float64, 1);
    const Loss loss = loss_for(name, norm, solve(*gram, s, {.name = SolverName::dense}).H);
    double lowest = std::numeric_limits<double>::infinity();
    Matrix best;
    for (int k = 0; k < angles; ++k) {
      const double t = std::numbers::pi * k / angles;
      Matrix turn(2, 2);
      turn << std::cos(t), -std::sin(t), std::sin(t), std::cos(t);
      const Matrix Y = Phi * turn.leftCols(s);
      const double primal = -envelope(loss, Y);
      if (primal < lowest) {
        lowest = primal;
        best = Y;
      }
    }
    // F is convex and |Y''| <= |Phi|, so between two angles the objective is lower by at most the slack.
    const double step = std::numbers::pi / angles, slack = Phi.squaredNorm() * step * step;
    const Matrix H = loss.prox(best);
    EXPECT_NEAR(dual(G, H, loss), lowest, slack);
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
      for (const double size : {1e-4, 1e-2, 1.0, 10.0}) {
        const Matrix D = size * random_normal(n, s, seed);
        EXPECT_GE(dual(G, loss.prox(H + D), loss), lowest - slack);
        EXPECT_GE(dual(G, H + D, loss), lowest - slack);  // d is infinite outside of the ball of huber
      }
    const SolveResult found = solution(*gram, s, loss);
    EXPECT_NEAR(found.dual_objective, lowest,
                slack);  // holds here, but the solver does not promise it for norm rows and entries
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLoss, PropGeneralDual,
                         testing::Values(Case{LossName::square, Norm::rows}, Case{LossName::huber, Norm::rows},
                                         Case{LossName::huber, Norm::entries}, Case{LossName::huber, Norm::frobenius},
                                         Case{LossName::epsilon_insensitive, Norm::rows},
                                         Case{LossName::epsilon_insensitive, Norm::entries},
                                         Case{LossName::epsilon_insensitive, Norm::frobenius}),
                         [](const auto& p) {
                           return std::string(to_string(std::get<0>(p.param))) + "_" +
                                  std::string(to_string(std::get<1>(p.param)));
                         });

// The infimum is known in any number of dimensions for the square loss, by Ky Fan, and for norm frobenius, because
// there F depends only on |Y|. No W and no H is below it, and d(H) is above some p(W) and below others.
TEST(PropGeneralDualOfKnownInfimum, NoPointOfEitherSideIsBelowAndNeitherSideBoundsTheOther) {
  constexpr Index n = 40, p = 8, s = 3;
  const Matrix Phi = features(n, p, 6), G = Phi * Phi.transpose();
  const double sum = test::polar(Phi).sigma.head(s).squaredNorm(), rounding = 100 * n * epsilon * Phi.squaredNorm();
  for (const Loss& loss :
       {Loss{}, Loss{LossName::huber, Norm::frobenius, 2}, Loss{LossName::epsilon_insensitive, Norm::frobenius, 2}}) {
    const double infimum = -envelope(loss, Matrix::Constant(1, 1, std::sqrt(sum)));
    double lowest_primal = 0, highest_primal = infimum, lowest_dual = 0, highest_dual = infimum;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      const double primal = -envelope(loss, Phi * test::random_orthonormal(p, s, seed));
      const Matrix H = loss.prox(G * random_normal(n, s, seed) * std::pow(10.0, -static_cast<double>(seed % 4)));
      const double dual = evaluate_merit(H, G * H, loss, {}).dual;
      lowest_primal = std::min(lowest_primal, primal);
      highest_primal = std::max(highest_primal, primal);
      lowest_dual = std::min(lowest_dual, dual);
      highest_dual = std::max(highest_dual, dual);
    }
    EXPECT_GE(lowest_primal, infimum - rounding);
    EXPECT_GE(lowest_dual, infimum - rounding);
    EXPECT_LT(lowest_primal, highest_dual);
    EXPECT_LT(lowest_dual, highest_primal);
  }
}

// With more components than feature dimensions there are no orthonormal W at all. Then d is the dual of the problem
// with W'W <= I in place of W'W = I, as in the paper's convex hull.
TEST(PropGeneralDualOfFewDimensions, HoldsForContractionsWhereNoOrthonormalDirectionsExist) {
  constexpr Index n = 30, p = 2, s = 3;
  const Matrix Phi = features(n, p, 7), G = Phi * Phi.transpose();
  const double rounding = 100 * n * epsilon * Phi.squaredNorm();
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  for (const SolverName name : {SolverName::dense, SolverName::lbfgs}) {
    const SolveResult found = solve(*gram, s, {.name = name, .tol = 1e-14});
    EXPECT_NEAR(found.dual_objective, -0.5 * Phi.squaredNorm(), rounding);
    EXPECT_NEAR(found.primal_objective, -0.5 * Phi.squaredNorm(), rounding);
    const Matrix W = test::polar(Phi.transpose() * found.H).W;  // p x s
    EXPECT_NEAR(-0.5 * (Phi * W).squaredNorm(), found.primal_objective, rounding);
    EXPECT_NEAR((W.transpose() * W).trace(), p, 100 * epsilon);  // it is not s
  }
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Matrix C = test::polar(random_normal(p, s, seed)).W, H = Phi * random_normal(p, s, seed);
    EXPECT_GE(-0.5 * (Phi * C).squaredNorm(), -0.5 * Phi.squaredNorm() - rounding);
    EXPECT_GE(evaluate_merit(H, G * H, {}, {.relative = 1e-12, .absolute = 0}).dual,
              -0.5 * Phi.squaredNorm() - rounding);
  }
}

}  // namespace
}  // namespace dualkpca::strong_duality_test
