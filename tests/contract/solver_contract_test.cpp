#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"
#include "solver/solvers.hpp"
#include "support/naive.hpp"

namespace dualkpca::solver_contract_test {
namespace {

constexpr Index n = 80;
constexpr std::array every_solver = {SolverName::lbfgs,   SolverName::krylov, SolverName::dense,
                                     SolverName::lanczos, SolverName::panoc,  SolverName::rsvd};

struct Spectrum {
  const char* name;
  Vector values;
  Index s;
};

Vector filled(std::vector<double> head, double rest) {
  Vector values = Vector::Constant(n, rest);
  for (std::size_t i = 0; i < head.size(); ++i) values[static_cast<Index>(i)] = head[i];
  return values;
}

std::vector<Spectrum> spectra() {
  Vector geometric(n), flat(n), wide(n);
  for (Index i = 0; i < n; ++i) {
    geometric[i] = 100 * std::pow(0.6, static_cast<double>(i));
    flat[i] = 2 - static_cast<double>(i) / n;  // neighbouring eigenvalues differ by half a percent
    wide[i] = std::pow(10.0, -0.4 * static_cast<double>(i));
  }
  return {{"gaps", geometric, 8},
          {"no_gaps", flat, 6},
          {"repeated", filled({5, 5, 3, 3, 3, 2, 2}, 1), 7},
          {"repeated_across_the_cut", filled({5, 3, 3, 3, 3}, 1), 3},
          {"rank_deficient", filled({4, 3, 2, 1}, 0), 6},
          {"rank_one", filled({1}, 0), 3},
          {"near_identity", filled({1.05, 1.04, 1.03}, 1), 3},
          {"wide_range", wide, 10},
          {"zero", filled({}, 0), 4},
          {"all_components", geometric, n}};
}

struct Case {
  SolverName solver;
  Precision precision;
  std::size_t spectrum;
};

class SolverContract : public testing::TestWithParam<Case> {
 protected:
  const Case c = GetParam();
  const Spectrum spectrum = spectra()[c.spectrum];
  const Index s = spectrum.s;
  const Matrix G = test::rounded(test::with_spectrum(spectrum.values, 7), c.precision);
  const std::unique_ptr<GramOperator> gram = make_precomputed_gram(G, c.precision, 2);
  const SolverParams params{
      .name = c.solver, .tol = c.precision == Precision::float32 ? 1e-5 : 1e-12, .max_iter = 3000};
  const SolveResult result = solve(*gram, s, params);
  const Vector exact = test::eigenvalues_descending(G).cwiseMax(0.0);
  const double largest = std::max(1e-300, exact[0]);
  // The error of values is of second order in the residual that tol bounds. The rest is rounding of G and of the
  // product.
  const double value_bound = (c.precision == Precision::float32 ? 1e-5 : 1e-10) * static_cast<double>(s);

  // Returns how much the sum may miss if |H - Y|^2 is the largest that tol allows, r = tol / 100 |H|^2. Let a share q
  // of an eigenvector beyond the cut replace the last one before it, and g be the relative gap between their
  // eigenvalues. Then the residual is q g^2 lambda and the sum misses q g lambda. This is at most r / g, and never more
  // than g lambda.
  [[nodiscard]] double missed_within_tolerance() const {
    const double r = params.tol / 100 * exact.head(s).sum(), lambda = exact[s - 1];
    double missed = 0;
    for (Index k = s; k < n; ++k) {
      if (!(lambda > exact[k])) continue;  // an equal eigenvalue loses nothing
      const double g = 1 - exact[k] / lambda;
      missed = std::max(missed, std::min(r / g, static_cast<double>(s) * g * lambda));
    }
    return missed;
  }
};

TEST_P(SolverContract, ReachesTheSumOfTheTopEigenvalues) {
  EXPECT_EQ(result.status, Status::converged) << result.message << " eta " << result.eta;
  const double sum = exact.head(s).sum();
  const double bound = value_bound * largest + missed_within_tolerance();
  EXPECT_NEAR(-2 * result.dual_objective, sum, bound);
  EXPECT_NEAR(-2 * result.primal_objective, sum, bound);
}

TEST_P(SolverContract, ColumnsAreScaledEigenvectorsOrZero) {
  ASSERT_TRUE(result.H.allFinite() && result.GH.allFinite());
  ASSERT_EQ(result.H.cols(), s);
  const RankRule rule = rank_rule(*gram);
  double squares = 0;
  for (Index j = 0; j < s; ++j) {
    const double theta = result.H.col(j).squaredNorm();  // H = U sqrt(Lambda)
    if (theta == 0) {                                    // the column was dropped, so its eigenvalue must be rounding
      EXPECT_LE(exact[j], 2 * std::max(rule.absolute, rule.relative * exact[0])) << "column " << j;
      continue;
    }
    EXPECT_NEAR(theta, exact[j], std::sqrt(value_bound) * largest) << "column " << j;
    squares += (G * result.H.col(j) - theta * result.H.col(j)).squaredNorm() / theta;
  }
  // Converts tol to the units of the residual: eta = 100 |H - Y|^2 / |H|^2 with Y = GH Theta^{-1}.
  const double allowed =
      (params.tol / 100 + 1e3 * std::pow(epsilon_of(c.precision), 2) * n) * largest * result.H.squaredNorm();
  EXPECT_LE(squares, 100 * allowed + 1e-25);
}

TEST_P(SolverContract, ReportsTheProductAtH) {
  EXPECT_LE((result.GH - G * result.H).norm(),
            100 * epsilon_of(c.precision) * largest * (result.H.norm() + 1e-30) * 10);
}

TEST_P(SolverContract, SameSeedSameResult) {
  const auto fresh = make_precomputed_gram(G, c.precision, 2);
  EXPECT_EQ(solve(*fresh, s, params).H, result.H);
}

TEST_P(SolverContract, ProductsAreThoseItsHeaderPromises) {
  const Index products = gram->counts().products;
  // A solution that looks converged is checked by one more product, and near the identity by up to four. A check that
  // finds something better is followed by another one.
  const auto expect_with_checks = [&](Index least) {
    EXPECT_GE(products, least + (spectrum.values[0] > 0 ? 1 : 0));
    EXPECT_LE(products, least + 8);
  };
  switch (c.solver) {
    case SolverName::panoc:
    case SolverName::lbfgs: expect_with_checks(result.iterations + 1); break;
    case SolverName::dense: EXPECT_EQ(products, spectrum.values[0] > 0 ? 1 : 0); break;
    case SolverName::krylov: EXPECT_EQ(products, result.iterations); break;
    case SolverName::rsvd: expect_with_checks(result.iterations + 2); break;
    default: EXPECT_EQ(gram->counts().product_columns > products, spectrum.values[0] > 0 && s > 1);
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const SolverName solver : every_solver)
    for (const Precision precision : {Precision::float32, Precision::float64})
      for (std::size_t i = 0; i < spectra().size(); ++i) {
        // First-order steps cannot find all components of a matrix with a condition number of 1e17.
        if (solver == SolverName::panoc && spectra()[i].s == n) continue;
        cases.push_back({solver, precision, i});
      }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(EverySolver, SolverContract, testing::ValuesIn(all_cases()), [](const auto& p) {
  return std::string(to_string(p.param.solver)) + "_" + std::string(to_string(p.param.precision)) + "_" +
         spectra()[p.param.spectrum].name;
});

class EverySolver : public testing::TestWithParam<SolverName> {};

// The spectrum of a ring consists of exact pairs. Single-vector Krylov methods lose one copy of each pair.
TEST_P(EverySolver, KeepsBothCopiesOfARingsEigenvalues) {
  constexpr Index points = 64, s = 7;
  Matrix ring(points, 2);
  for (Index i = 0; i < points; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / points;
    ring.row(i) << std::cos(angle), std::sin(angle);
  }
  const Matrix G = test::naive_kernel_matrix({KernelName::rbf, 1.0, 1, 0}, ring, ring);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  const SolveResult result = solve(*gram, s, {.name = GetParam(), .tol = 1e-14, .max_iter = 2000});
  const Vector exact = test::eigenvalues_descending(G).head(s);
  EXPECT_LE((result.H.colwise().squaredNorm().transpose() - exact).cwiseAbs().maxCoeff(), 1e-6 * exact[0]);
}

// A Krylov space of one vector holds one copy of each eigenvalue. On a diagonal matrix no rounding adds the others.
TEST_P(EverySolver, FindsEveryCopyOfADiagonalMatrixsEigenvalues) {
  Vector values(300);
  for (Index i = 0; i < 300; ++i) values[i] = i < 8 ? 8 : i < 12 ? 4 : 1.0 / static_cast<double>(i);
  const Matrix G = values.asDiagonal();
  for (const double tol : {1e-2, 1e-5, 1e-10}) {
    const auto gram = make_precomputed_gram(G, Precision::float64, 1);
    const SolveResult result = solve(*gram, 10, {.name = GetParam(), .tol = tol});
    EXPECT_NEAR(-2 * result.dual_objective, 72, 72 * tol) << tol;
  }
}

TEST_P(EverySolver, RefusesAnIndefiniteMatrix) {
  Vector values = Vector::Zero(20);
  values.head(2) << 1, 0.5;
  values.tail(4).setConstant(-2);
  const Matrix G = test::with_spectrum(values, 3);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  EXPECT_THROW((void)solve(*gram, 20, {.name = GetParam()}), DataError);
}

TEST_P(EverySolver, RefusesACountOutOfRange) {
  const Matrix G = Matrix::Identity(4, 4);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  EXPECT_THROW((void)solve(*gram, 0, {.name = GetParam()}), InvalidArgument);
  EXPECT_THROW((void)solve(*gram, 5, {.name = GetParam()}), InvalidArgument);
  EXPECT_THROW((void)solve(*gram, 2, {.name = GetParam(), .tol = -1}), InvalidArgument);
  EXPECT_THROW((void)solve(*gram, 2, {.name = GetParam(), .max_iter = 0}), InvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(ByName, EverySolver, testing::ValuesIn(every_solver),
                         [](const auto& p) { return std::string(to_string(p.param)); });

class LbfgsLimits : public testing::Test {
 protected:
  const Matrix G = test::with_spectrum(spectra()[1].values, 9);
  const std::unique_ptr<GramOperator> gram = make_precomputed_gram(G, Precision::float64, 1);
};

TEST_F(LbfgsLimits, IterationLimitKeepsTheBestPoint) {
  const SolveResult few = solve_lbfgs(*gram, 6, {.tol = 1e-12, .max_iter = 3});
  EXPECT_EQ(few.status, Status::iteration_limit);
  EXPECT_EQ(few.iterations, 3);
  const SolveResult more = solve_lbfgs(*gram, 6, {.tol = 1e-12, .max_iter = 10});
  EXPECT_LT(more.dual_objective, few.dual_objective);
}

TEST_F(LbfgsLimits, TimeLimit) {
  EXPECT_EQ(solve_lbfgs(*gram, 6, {.tol = 0, .max_iter = 1000000, .time_limit = 1e-9}).status, Status::time_limit);
}

TEST_F(LbfgsLimits, ObserverStopsAndSeesFallingEta) {
  std::vector<double> etas;
  const SolveResult result = solve_lbfgs(*gram, 6, {.tol = 1e-12}, [&](const Progress& p) {
    etas.push_back(p.eta);
    return p.iteration < 8;
  });
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_FALSE(result.message.empty());
  ASSERT_EQ(etas.size(), 9U);
  EXPECT_LT(etas.back(), etas.front());
}

TEST_F(LbfgsLimits, ToleranceZeroEndsAtWorkingPrecision) {
  const SolveResult result = solve_lbfgs(*gram, 6, {.tol = 0, .max_iter = 100000});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LT(result.eta, 1e-20);
  EXPECT_LT(result.iterations, 2000);
}

TEST_F(LbfgsLimits, AToleranceBelowFloat32IsSaidSo) {
  const auto narrow = make_precomputed_gram(G, Precision::float32, 1);
  const SolveResult result = solve_lbfgs(*narrow, 6, {.tol = 1e-25, .max_iter = 100000});
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_NE(result.message.find("float64"), std::string::npos) << result.message;
}

class BaselineLimits : public LbfgsLimits, public testing::WithParamInterface<SolverName> {};

TEST_P(BaselineLimits, TimeLimitKeepsAPoint) {
  const SolveResult result =
      solve(*gram, 6, {.name = GetParam(), .tol = 1e-20, .max_iter = 1000000, .time_limit = 1e-9});
  EXPECT_EQ(result.status, Status::time_limit);
  EXPECT_GT(result.H.norm(), 0);
}

TEST_P(BaselineLimits, ObserverStopsIt) {
  int calls = 0;
  const SolveResult result =
      solve(*gram, 6, {.name = GetParam(), .tol = 1e-20}, {}, [&](const Progress&) { return ++calls < 4; });
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_EQ(calls, 4);
  EXPECT_GT(result.H.norm(), 0);
  EXPECT_FALSE(result.message.empty());
}

TEST_P(BaselineLimits, IterationLimitKeepsTheBestPoint) {
  const SolveResult few = solve(*gram, 6, {.name = GetParam(), .tol = 1e-20, .max_iter = 1});
  EXPECT_EQ(few.status, Status::iteration_limit);
  const SolveResult more = solve(*gram, 6, {.name = GetParam(), .tol = 1e-20, .max_iter = 4});
  EXPECT_LT(more.dual_objective, few.dual_objective);
}

TEST_P(BaselineLimits, AToleranceBelowFloat32IsSaidSo) {
  const auto narrow = make_precomputed_gram(G, Precision::float32, 1);
  const SolveResult result = solve(*narrow, 6, {.name = GetParam(), .tol = 1e-25, .max_iter = 100000});
  // eta is not checked, because it is an estimate that may be 0 if rounding happens to hide the residual.
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_NE(result.message.find("float64"), std::string::npos) << result.message;
}

TEST_P(BaselineLimits, ToleranceZeroEndsAtWorkingPrecision) {
  const SolveResult result = solve(*gram, 6, {.name = GetParam(), .tol = 0, .max_iter = 100000});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LT(result.eta, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(ByName, BaselineLimits,
                         testing::Values(SolverName::krylov, SolverName::lanczos, SolverName::rsvd),
                         [](const auto& p) { return std::string(to_string(p.param)); });

TEST_F(LbfgsLimits, RsvdDoesThePowerIterationsItIsTold) {
  double previous = std::numeric_limits<double>::infinity();
  for (const Index q : {0, 2, 6}) {
    const auto fresh = make_precomputed_gram(G, Precision::float64, 1);
    const SolveResult result =
        solve(*fresh, 6, {.name = SolverName::rsvd, .tol = 1e-12, .oversampling = 4, .power_iterations = q});
    EXPECT_EQ(fresh->counts().products, q + 2);
    EXPECT_EQ(fresh->counts().product_columns, (q + 2) * 10);
    EXPECT_EQ(result.status, Status::iteration_limit);
    EXPECT_TRUE(result.eta < previous || result.eta == 1) << result.eta;  // 1 is the largest eta
    previous = result.eta;
  }
  // All power iterations run even if fewer reach the tolerance, because a comparison needs a fixed number of them.
  const auto fresh = make_precomputed_gram(test::with_spectrum(spectra()[0].values, 9), Precision::float64, 1);
  const SolveResult result = solve(*fresh, 4, {.name = SolverName::rsvd, .tol = 1e-3, .power_iterations = 9});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_GE(fresh->counts().products, 14);  // three more, or a few, have checked the solution
  EXPECT_LE(fresh->counts().products, 19);
}

}  // namespace
}  // namespace dualkpca::solver_contract_test
