#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/solver/solver.hpp"
#include "objective/merit.hpp"
#include "solver/dc_run.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::loss_contract_test {
namespace {

constexpr Index n = 90, s = 4;

Matrix clustered_rows() {
  Matrix X = 0.4 * random_normal(n, 3, 1);
  for (Index i = 0; i < n; ++i) X(i, i % 3) += 2;
  X.topRows(5) *= 4;  // the first rows are outliers
  return X;
}

Matrix gram_of(const std::string& data) {
  if (data == "rbf") {
    const Matrix X = clustered_rows();
    return test::naive_centered(test::naive_kernel_matrix({KernelName::rbf, 0.3, 1, 0}, X, X));
  }
  if (data == "linear") {  // the rank is 3, below s
    const Matrix X = clustered_rows();
    return test::naive_centered(X * X.transpose());
  }
  const Matrix X = random_normal(n, 12, 2);
  return test::naive_kernel_matrix({KernelName::laplace, 0.2, 1, 0}, X, X);
}

struct Case {
  LossName loss;
  Norm norm;
  SolverName solver;
  Precision precision;
  std::string data;
};

LossParams params_of(const Case& c, const Matrix& H) {
  LossParams params{.name = c.loss, .norm = c.norm};
  std::vector<double> sizes = sizes_of(H, c.norm);
  std::sort(sizes.begin(), sizes.end());
  if (c.loss == LossName::huber)
    params.kappa = 0.5 * sizes.back();
  else
    params.epsilon = 0.5 * sizes[sizes.size() / 2];
  return params;
}

constexpr RankRule rank_floor{.relative = 1e-6, .absolute = 0};

// Dual objective, merit and relative distance from a critical point, computed from explicit matrices.
struct Naive {
  double dual, merit, residual;
};
Naive naive(const Matrix& G, const Matrix& H, const Loss& loss) {
  const Merit at = evaluate_merit(H, G * H, loss, rank_floor);
  return {at.dual, at.value, (H - at.Z).norm() / at.Z.norm()};
}

class LossContract : public testing::TestWithParam<Case> {
 protected:
  const Case c = GetParam();
  const bool narrow = c.precision == Precision::float32;
  const Matrix G = test::rounded(gram_of(c.data), c.precision);
  const std::unique_ptr<GramOperator> gram = make_precomputed_gram(G, c.precision, 1);
  const SolveResult square = solve(*gram, s, {.name = SolverName::dense, .tol = 1e-5});
  const LossParams loss = params_of(c, square.H);
  const SolverParams params{.name = c.solver,
                            // If the rank of G is below s, rounding in float32 limits the residual to about 1e-5.
                            .tol = narrow && c.data == "linear"  ? 3e-5
                                   : narrow                      ? 1e-5
                                   : c.solver == SolverName::dca ? 1e-6
                                                                 : 1e-9,
                            .max_iter = 20000};
  const SolveResult result = solve_loss(*gram, s, loss, params, square);
};

TEST_P(LossContract, EndsAtACriticalPoint) {
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(result.eta, params.tol);
  EXPECT_EQ(result.eta_kind, EtaKind::stationary);
  const Naive exact = naive(G, result.H, result.loss);
  EXPECT_LE(exact.residual, 2 * params.tol);
  EXPECT_NEAR(result.dual_objective, exact.dual, (narrow ? 1e-5 : 1e-10) * std::abs(exact.dual));
  EXPECT_NEAR(result.primal_objective, exact.merit, (narrow ? 1e-5 : 1e-10) * std::abs(exact.merit));
  // At a critical point both objectives are equal (strong duality).
  EXPECT_NEAR(exact.dual, exact.merit, std::max(1e-12, 10 * params.tol * params.tol) * std::abs(exact.dual));
}

TEST_P(LossContract, TheSolutionIsAnOutputOfProx) {
  if (c.loss == LossName::huber) {
    EXPECT_LE(largest(result.H, c.norm), *loss.kappa * (1 + 1e-12));
    return;
  }
  // The solution has exact zeros where the next point has them, except for a few entries at the edge.
  const Merit at = evaluate_merit(result.H, G * result.H, result.loss, rank_floor);
  const auto zeros = [](const Matrix& M) { return (M.array() == 0).count(); };
  if (c.norm == Norm::frobenius) return;
  EXPECT_LE(std::abs(zeros(result.H) - zeros(at.Z)), 2 * s);
}

TEST_P(LossContract, ReportsTheProductAtH) {
  EXPECT_LE((result.GH - G * result.H).norm(), 1e4 * epsilon_of(c.precision) * result.GH.norm());
}

TEST_P(LossContract, SameSeedSameResult) {
  const auto fresh = make_precomputed_gram(G, c.precision, 1);
  EXPECT_EQ(solve_loss(*fresh, s, loss, params, square).H, result.H);
}

TEST_P(LossContract, LimitsKeepAFeasiblePoint) {
  if (c.norm == Norm::frobenius || c.data == "linear") return;  // these converge in one or two steps
  for (const SolverParams& limited : {SolverParams{.name = c.solver, .tol = 1e-15, .max_iter = 2},
                                      SolverParams{.name = c.solver, .tol = 1e-15, .time_limit = 1e-9}}) {
    const SolveResult few = solve_loss(*gram, s, loss, limited, square);
    EXPECT_EQ(few.status, limited.time_limit > 0 ? Status::time_limit : Status::iteration_limit);
    EXPECT_TRUE(std::isfinite(few.dual_objective));
    EXPECT_GT(few.H.norm(), 0);
  }
  const SolveResult stopped = solve_loss(*gram, s, loss, {.name = c.solver, .tol = 1e-15}, square, {},
                                         [](const Progress& progress) { return progress.iteration < 3; });
  EXPECT_EQ(stopped.status, Status::stopped);
  EXPECT_TRUE(std::isfinite(stopped.dual_objective));
}

#ifdef DUALKPCA_FEWER_TRIALS  // sanitizers check the code and not the mathematics
constexpr std::array all_data = {"linear"};
#else
constexpr std::array all_data = {"rbf", "linear", "laplace"};
#endif

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const LossName loss : {LossName::huber, LossName::epsilon_insensitive})
    for (const Norm norm : {Norm::rows, Norm::entries, Norm::frobenius})
      for (const SolverName solver : {SolverName::panoc, SolverName::dca})
        for (const Precision precision : {Precision::float64, Precision::float32})
          for (const char* data : all_data) cases.push_back({loss, norm, solver, precision, data});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, LossContract, testing::ValuesIn(all_cases()), [](const auto& p) {
  return std::string(to_string(p.param.loss)) + "_" + std::string(to_string(p.param.norm)) + "_" +
         std::string(to_string(p.param.solver)) + "_" + std::string(to_string(p.param.precision)) + "_" + p.param.data;
});

// Runs of all algorithms begin at the same point, so that a comparison does not depend on the start.
struct Ended {
  Matrix H;
  double dual, residual;
  std::vector<double> merits;
  Index products;
};
Ended run_from(const Matrix& G, const Loss& loss, const Matrix& start, Acceleration acceleration, double tol) {
  DcRun run({.loss = loss, .rule = {.relative = 1e-12, .absolute = 1e-13}, .acceleration = acceleration}, start);
  Index products = 0;
  do {
    run.advance(G * run.next_point());
    ++products;
  } while (products < 20000 && (run.at().residual() > tol || products < 2));
  return {run.point(), run.at().dual, run.at().residual(), run.merits(), products};
}

class AccelerationContract : public testing::TestWithParam<std::tuple<LossName, Norm, std::string>> {};

TEST_P(AccelerationContract, NeverRaisesTheMeritAboveItsLastFourAndEndsWherePlainStepsDo) {
  const auto [name, norm, data] = GetParam();
  const Matrix G = gram_of(data);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  Matrix H = solve(*gram, s, {.name = SolverName::dense}).H;
  H = H(Eigen::all, Eigen::seqN(0, data == "linear" ? 3 : s)).eval();
  const LossParams params = params_of({name, norm, {}, {}, {}}, H);
  const Loss loss{name, norm, params.kappa ? *params.kappa : *params.epsilon};
  const Ended plain = run_from(G, loss, loss.prox(H), Acceleration::none, 1e-10);
  for (const Acceleration acceleration : {Acceleration::extrapolated, Acceleration::quasi_newton}) {
    const Ended fast = run_from(G, loss, loss.prox(H), acceleration, 1e-10);
    EXPECT_LE(fast.residual, 1e-10);
    const double rounding = 10 * n * epsilon_of(Precision::float64) * std::abs(plain.dual);  // rounding of a merit
    for (std::size_t i = 1; i < fast.merits.size(); ++i) {
      const auto end = fast.merits.begin() + static_cast<Index>(i);
      EXPECT_LE(*end, *std::max_element(end - static_cast<Index>(std::min<std::size_t>(4, i)), end) + rounding) << i;
    }
    EXPECT_LE(fast.dual, plain.dual + 1e-4 * std::abs(plain.dual));
    const bool same_basin = std::abs(fast.dual - plain.dual) < 1e-5 * std::abs(plain.dual);
    if (same_basin) {
      EXPECT_NEAR(fast.dual, plain.dual, 1e-8 * std::abs(plain.dual));
    }
    EXPECT_LE(fast.products, plain.products + 3);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AccelerationContract,
                         testing::Combine(testing::Values(LossName::huber, LossName::epsilon_insensitive),
                                          testing::Values(Norm::rows, Norm::entries, Norm::frobenius),
                                          testing::Values(std::string("rbf"), std::string("linear"),
                                                          std::string("laplace"))),
                         [](const auto& p) {
                           return std::string(to_string(std::get<0>(p.param))) + "_" +
                                  std::string(to_string(std::get<1>(p.param))) + "_" + std::get<2>(p.param);
                         });

class LossSolver : public testing::Test {
 protected:
  const Matrix G = gram_of("rbf");
  const std::unique_ptr<GramOperator> gram = make_precomputed_gram(G, Precision::float64, 1);
  const SolveResult square = solve(*gram, s, {.name = SolverName::dense});
};

TEST_F(LossSolver, FrobeniusIsAMultipleOfTheSquareLossSolution) {
  const double norm = square.H.norm();
  const SolveResult huber = solve_loss(
      *gram, s, {.name = LossName::huber, .norm = Norm::frobenius, .kappa = 0.3 * norm}, {.tol = 1e-9}, square);
  EXPECT_LE((huber.H - 0.3 * square.H).norm(), 1e-8 * norm);
  const SolveResult epsilon =
      solve_loss(*gram, s, {.name = LossName::epsilon_insensitive, .norm = Norm::frobenius, .epsilon = 0.4 * norm},
                 {.tol = 1e-9}, square);
  EXPECT_LE((epsilon.H - 0.6 * square.H).norm(), 1e-8 * norm);
  // The solution is zero if epsilon is at least the root of the sum of the eigenvalues.
  const double bound = std::sqrt(test::eigenvalues_descending(G).head(s).sum());
  EXPECT_NEAR(norm, bound, 1e-9);
  EXPECT_THROW((void)solve_loss(
                   *gram, s, {.name = LossName::epsilon_insensitive, .norm = Norm::frobenius, .epsilon = bound * 1.001},
                   {}, square),
               InvalidArgument);
}

TEST_F(LossSolver, AKappaThatClipsNothingGivesTheSquareLossAndSaysSo) {
  for (const Norm norm : {Norm::rows, Norm::frobenius}) {
    const SolveResult result =
        solve_loss(*gram, s, {.name = LossName::huber, .norm = norm, .kappa_ratio = 1}, {.tol = 1e-9}, square);
    EXPECT_NEAR(result.dual_objective, square.dual_objective, 1e-9 * std::abs(square.dual_objective));
    ASSERT_EQ(result.notes.size(), 1U);
    EXPECT_NE(result.notes[0].find("clips nothing"), std::string::npos);
  }
}

TEST_F(LossSolver, AKappaThatClipsEverythingIsSaid) {
  const SolveResult result = solve_loss(*gram, s, {.name = LossName::huber, .kappa_ratio = 0.01}, {}, square);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("clips every row"), std::string::npos);
}

TEST_F(LossSolver, KappaMaxIsTheLargestOfTheSquareLossSolution) {
  const SolveResult rows = solve_loss(*gram, s, {.name = LossName::huber, .kappa_ratio = 0.25}, {}, square);
  EXPECT_NEAR(*rows.kappa_max, square.H.rowwise().norm().maxCoeff(), 1e-12);
  EXPECT_NEAR(rows.loss.parameter, 0.25 * *rows.kappa_max, 1e-15);
  const SolveResult entries =
      solve_loss(*gram, s, {.name = LossName::huber, .norm = Norm::entries, .kappa_ratio = 0.25}, {}, square);
  EXPECT_NEAR(*entries.kappa_max, square.H.cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(LossSolver, EpsilonThatLeavesNothingIsRefused) {
  try {
    (void)solve_loss(*gram, s, {.name = LossName::epsilon_insensitive, .epsilon = 10}, {}, square);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("makes everything zero"), std::string::npos) << error.what();
  }
}

TEST_F(LossSolver, SparsityIsHit) {
  for (const Norm norm : {Norm::rows, Norm::entries})
    for (const double target : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      const SolveResult result =
          solve_loss(*gram, s, {.name = LossName::epsilon_insensitive, .norm = norm, .sparsity = target}, {}, square);
      const double share = zero_share(result.H, norm);
      const double unit = norm == Norm::rows ? 1.0 / n : 1.0 / (n * s);
      if (result.notes.empty()) {
        EXPECT_NEAR(share, target, std::max(0.01, unit) + 1e-12) << to_string(norm) << target;
      } else {
        EXPECT_NE(result.notes[0].find("cannot be reached"), std::string::npos);
      }
      EXPECT_LE(naive(G, result.H, result.loss).residual, 2e-5);
    }
}

// Three pairs of equal rows are far apart. Rows become zero in pairs, so no share between 2/3 and 1 can be reached.
TEST(LossSolverOfFewRows, ASparsityThatCannotBeReachedIsSaid) {
  Matrix X(6, 1);
  X << 0, 0, 3, 3, 10, 10;
  const Matrix G = test::naive_kernel_matrix({KernelName::linear, 1, 1, 0}, X, X);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  const SolveResult square = solve(*gram, 1, {.name = SolverName::dense});
  const SolveResult result = solve_loss(*gram, 1, {.name = LossName::epsilon_insensitive, .sparsity = 0.9}, {}, square);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("cannot be reached"), std::string::npos) << result.notes[0];
  EXPECT_NEAR(zero_share(result.H, Norm::rows), 2.0 / 3, 1e-12);
}

TEST_F(LossSolver, EntriesListsItsStartsBestFirst) {
  const SolveResult result =
      solve_loss(*gram, s, {.name = LossName::huber, .norm = Norm::entries, .kappa_ratio = 0.4}, {.tol = 1e-8}, square);
  ASSERT_GE(result.starts.size(), 2U);
  EXPECT_TRUE(result.starts[0].is_best);
  EXPECT_NEAR(result.starts[0].objective, result.primal_objective, 1e-9);
  for (std::size_t i = 1; i < result.starts.size(); ++i) {
    EXPECT_FALSE(result.starts[i].is_best);
    EXPECT_GE(result.starts[i].objective, result.starts[0].objective - 1e-9);
  }
}

// With tol 0, plain steps stop by the paper's rule: an absolute change of d below the machine precision, or max_iter.
TEST_F(LossSolver, PlainStepsWithToleranceZeroStopByThePapersRule) {
  const SolveResult result = solve_loss(*gram, s, {.name = LossName::huber, .kappa = 0.3},
                                        {.name = SolverName::dca, .tol = 0, .max_iter = 5000}, {});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LT(result.eta, 1e-6);
  const SolveResult few = solve_loss(*gram, s, {.name = LossName::huber, .kappa = 0.3},
                                     {.name = SolverName::dca, .tol = 0, .max_iter = 3}, {});
  EXPECT_EQ(few.status, Status::iteration_limit);
  EXPECT_EQ(few.iterations, 3);
}

// With the square loss the DC algorithm is subspace iteration: H+ = GH (H'GH)^{-1/2}.
TEST_F(LossSolver, APlainStepForTheSquareLossIsSubspaceIteration) {
  const Matrix H = random_normal(n, s, 5);
  DcRun run({.rule = {.relative = 1e-13}, .acceleration = Acceleration::none}, H);
  run.advance(G * H);
  const Matrix Q = test::orthonormal(G * H);
  EXPECT_LE((run.next_point() - Q * (Q.transpose() * run.next_point())).norm(), 1e-9 * run.next_point().norm());
}

}  // namespace
}  // namespace dualkpca::loss_contract_test
