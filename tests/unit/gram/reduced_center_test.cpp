#include "gram/reduced_center.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/solver/solver.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::reduced_center_test {
namespace {

const std::vector<Index> few = {7, 40, 3, 111};
const Vector weights{{0.5, 0.3, 0.4, -0.25}};

struct Points {
  explicit Points(Index n, Index d = 4, double gamma = 0.3, KernelName name = KernelName::rbf)
      : K(test::naive_kernel_matrix({name, gamma, 1, 0}, random_normal(n, d, 5), random_normal(n, d, 5))),
        c(test::spread(n, few, weights)),
        G(test::naive_centered_at(K, c)) {}
  [[nodiscard]] ReducedCenterGram gram(Precision precision) const {
    return {make_precomputed_gram(K, precision, 2), few, weights};
  }
  Matrix K;
  Vector c;
  Matrix G;
};

std::vector<Index> all_rows(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

Matrix as_applied(const GramOperator& gram) {
  Matrix G(gram.size(), gram.size());
  gram.apply(Matrix::Identity(gram.size(), gram.size()), G);
  return G;
}

double largest(const Matrix& M) { return M.cwiseAbs().maxCoeff(); }

class ReducedCenterForms : public testing::TestWithParam<Precision> {
 protected:
  const Precision precision = GetParam();
  const double epsilon = epsilon_of(precision);
};

TEST_P(ReducedCenterForms, IsTheNaiveMatrixInAllItsForms) {
  const Points points(150);
  const ReducedCenterGram gram = points.gram(precision);
  const std::vector<Index> all = all_rows(150);
  Matrix columns(150, 150), exact(150, 150);
  gram.columns(all, columns);
  gram.exact_block(all, all, exact);
  EXPECT_LE(largest(as_applied(gram) - points.G), 10 * epsilon);
  EXPECT_LE(largest(columns - points.G), 10 * epsilon);
  EXPECT_LE(largest(gram.diagonal() - points.G.diagonal()), 10 * epsilon);
  EXPECT_LE(largest(exact - points.G), 1e-14);
}

TEST_P(ReducedCenterForms, TheSecondProductEqualsTheFirst) {
  const Points points(150);
  const ReducedCenterGram gram = points.gram(precision);
  const Matrix V = random_normal(150, 6, 1);
  Matrix first(150, 6), second(150, 6);
  gram.apply(V, first);
  gram.apply(V, second);
  EXPECT_LE(largest(first - points.G * V), 200 * epsilon);
  EXPECT_LE(largest(second - points.G * V), 200 * epsilon);
}

TEST_P(ReducedCenterForms, IsSymmetricAndPositiveSemiDefinite) {
  const Points points(150, 2, 0.05);  // the kernel is smooth, so most eigenvalues of K are rounding
  const Matrix G = as_applied(points.gram(precision));
  EXPECT_LE(largest(G - G.transpose()), 10 * epsilon);
  const Vector values = test::eigenvalues_descending(0.5 * (G + G.transpose()));
  EXPECT_GE(values[149], -10 * epsilon * std::sqrt(150.0));
  EXPECT_GT(values[0], 1);
}

TEST_P(ReducedCenterForms, WithoutRowsIsK) {
  const Points points(150);
  const ReducedCenterGram gram(make_precomputed_gram(points.K, precision, 1), {}, Vector());
  EXPECT_LE(largest(as_applied(gram) - points.K), 2 * epsilon);
  EXPECT_LE(largest(gram.diagonal() - points.K.diagonal()), epsilon);
  EXPECT_EQ(gram.center_values(), Vector::Zero(150));
  EXPECT_EQ(gram.center_norm(), 0);
  EXPECT_EQ(gram.counts().kernel_columns, 0);
  EXPECT_NEAR(gram.center_error(), std::sqrt(points.K.mean()), 10 * epsilon);  // |phibar|
}

TEST_P(ReducedCenterForms, KnowsItsCentre) {
  const Points points(150);
  const ReducedCenterGram gram = points.gram(precision);
  EXPECT_EQ(gram.landmarks(), few);
  EXPECT_EQ(gram.weights(), weights);
  EXPECT_LE(largest(gram.center_values() - points.K * points.c), 1e-14);
  EXPECT_NEAR(gram.center_norm(), points.c.dot(points.K * points.c), 1e-14);
}

TEST_P(ReducedCenterForms, TheErrorIsTheDistanceFromTheMean) {
  const Points points(150);
  const Vector v = Vector::Constant(150, 1.0 / 150) - points.c;
  const double expected = std::sqrt(v.dot(points.K * v));
  const ReducedCenterGram before = points.gram(precision), after = points.gram(precision);
  EXPECT_NEAR(before.center_error(), expected, 10 * epsilon);
  EXPECT_EQ(before.counts().product_columns, 1);
  (void)as_applied(after);
  EXPECT_NEAR(after.center_error(), expected, 10 * epsilon);
  EXPECT_EQ(after.counts().product_columns, 151) << "it rides along with the first product";
}

TEST_P(ReducedCenterForms, TheErrorIsZeroAtTheMeanItself) {
  const Points points(150);
  const ReducedCenterGram gram(make_precomputed_gram(points.K, precision, 1), all_rows(150),
                               Vector::Constant(150, 1.0 / 150));
  EXPECT_LE(gram.center_error(), std::sqrt(epsilon));
  EXPECT_LE(largest(as_applied(gram) - test::naive_centered(points.K)), 10 * epsilon);
}

INSTANTIATE_TEST_SUITE_P(EveryPrecision, ReducedCenterForms, testing::Values(Precision::float32, Precision::float64),
                         [](const auto& p) { return std::string(to_string(p.param)); });

TEST(ReducedCenterGram, RefusesWhatIsNoCentre) {
  const Points points(150);
  const auto make = [&](std::vector<Index> rows, Index count) {
    return ReducedCenterGram(make_precomputed_gram(points.K, Precision::float64, 1), std::move(rows),
                             Vector::Zero(count));
  };
  EXPECT_THROW((void)make({0, 1}, 1), InvalidArgument);
  EXPECT_THROW((void)make({-1}, 1), InvalidArgument);
  EXPECT_THROW((void)make({150}, 1), InvalidArgument);
  EXPECT_NO_THROW((void)make({149}, 1));
}

TEST(ReducedCenterGram, ARowAtTheCentreHasNoNegativeDiagonal) {
  const Matrix X = 1e3 * random_normal(150, 3, 5);
  const Matrix K = test::naive_kernel_matrix({KernelName::linear, 1, 1, 0}, X, X);
  for (Index at = 3; at < 150; ++at) {
    // mu = sum of w_l x_l is row `at`, up to rounding.
    const Vector w = test::solve_linear(X.topRows(3).transpose(), X.row(at).transpose());
    const ReducedCenterGram gram(make_precomputed_gram(K, Precision::float64, 1), {0, 1, 2}, w);
    EXPECT_GE(gram.diagonal().minCoeff(), 0);
    EXPECT_LE(gram.diagonal()[at], 1e-6);
    const std::vector<Index> row = {at};
    Matrix entry(1, 1);
    gram.exact_block(row, row, entry);
    EXPECT_GE(entry(0, 0), 0);
  }
}

// Returns 1 - 2|d(H)| / Lambda_s with the exact matrix.
double true_error(const Matrix& G, const Matrix& H, double best) {
  const Vector values = test::eigenvalues_descending(H.transpose() * G * H);
  return 1 - 2 * (values.cwiseMax(0.0).cwiseSqrt().sum() - 0.5 * H.squaredNorm()) / best;
}

struct Solve {
  SolverName solver;
  Accuracy accuracy;
};

class ReducedCenterSolve : public testing::TestWithParam<Solve> {};

// Landmarks suffice for few components of a smooth kernel, but not for those of a rough one.
TEST_P(ReducedCenterSolve, FindsTheEigenvaluesOfTheNaiveMatrix) {
  const auto [solver, accuracy] = GetParam();
  for (const bool smooth : {true, false})
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      const Points points(600, smooth ? 2 : 12, 0.1, smooth ? KernelName::rbf : KernelName::laplace);
      const ReducedCenterGram gram = points.gram(precision);
      const Index s = 5;
      const double tol = 1e-5;  // dense reaches about 4e-6 in float32
      const SolveResult result = solve(gram, s, {.name = solver, .tol = tol, .accuracy = accuracy}, {.positive = true});
      EXPECT_EQ(result.status, Status::converged) << result.message;
      const double best = test::eigenvalues_descending(points.G).head(s).sum();
      EXPECT_NEAR(-2 * result.primal_objective, best, (tol + 10 * epsilon_of(precision)) * best)
          << to_string(result.solver);
      if (solver == SolverName::automatic) {
        EXPECT_EQ(result.solver, smooth ? SolverName::nystrom : SolverName::krylov) << result.reason;
      }
      if (accuracy == Accuracy::certified) {
        EXPECT_EQ(result.eta_kind, EtaKind::certified);
        EXPECT_GE(result.eta, true_error(points.G, result.H, best) - 1e-12);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(
    EverySolver, ReducedCenterSolve,
    testing::Values(Solve{SolverName::automatic, Accuracy::estimated},
                    Solve{SolverName::automatic, Accuracy::certified}, Solve{SolverName::krylov, Accuracy::estimated},
                    Solve{SolverName::krylov, Accuracy::certified}, Solve{SolverName::lbfgs, Accuracy::estimated},
                    Solve{SolverName::dense, Accuracy::estimated}, Solve{SolverName::dense, Accuracy::certified},
                    Solve{SolverName::lanczos, Accuracy::estimated}, Solve{SolverName::rsvd, Accuracy::estimated}),
    [](const auto& p) {
      return std::string(to_string(p.param.solver)) + "_" + std::string(to_string(p.param.accuracy));
    });

TEST(ReducedCenterGram, EqualRowsLeaveNothingToSolve) {
  const Matrix X = random_normal(1, 3, 5).replicate(600, 1);
  const Matrix K = test::naive_kernel_matrix({KernelName::linear, 1, 1, 0}, X, X);
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const ReducedCenterGram gram(make_precomputed_gram(K, precision, 1), {17, 400}, Vector{{0.7, 0.3}});
    const SolveResult result = solve(gram, 3, {}, {.positive = true});
    EXPECT_LE(result.H.squaredNorm(), 1e-4 * K(0, 0));
    // The squared error is a difference of sums of K, each with some roundings of its size.
    EXPECT_LE(gram.center_error(), std::sqrt(32 * epsilon_of(precision) * K(0, 0)));
  }
}

}  // namespace
}  // namespace dualkpca::reduced_center_test
