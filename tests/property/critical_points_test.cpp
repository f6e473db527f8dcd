// Tests of prop:link_critical_reconstruction of the paper, and of its claim that L-BFGS avoids critical points that are
// not optimal.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::critical_points_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Matrix dual_gradient(const Matrix& G, const Matrix& H) { return H - evaluate_dual(H, G * H, {}).Y; }
double reconstruction(const Matrix& G, const Matrix& H) { return 0.25 * (G - H * H.transpose()).squaredNorm(); }
Matrix reconstruction_gradient(const Matrix& G, const Matrix& H) { return (H * H.transpose() - G) * H; }

// G has seven eigenvalues, and the tests use every choice of three of them.
class PropLinkCriticalReconstruction : public testing::Test {
 protected:
  static constexpr Index n = 7, s = 3;
  const Vector values{{9, 5, 4, 2.5, 1, 0.3, 0.1}};
  const Matrix Q = test::random_orthonormal(n, n, 1);
  const Matrix G = Q * values.asDiagonal() * Q.transpose();
  // Rounding of a gradient: products with a matrix of norm 9, and a root with eigenvalues from 9^2 down to 0.1^2.
  const double rounding = 10 * n * epsilon * values[0] * values[0] / values[n - 1];

  // Returns U sqrt(Lambda) R for the chosen eigenvectors.
  [[nodiscard]] Matrix point(const std::vector<Index>& chosen, std::uint64_t seed) const {
    const auto count = static_cast<Index>(chosen.size());
    return Q(Eigen::all, chosen) * Vector(values(chosen).cwiseSqrt()).asDiagonal() *
           test::random_orthonormal(s, count, seed).transpose();
  }
  [[nodiscard]] static std::vector<std::vector<Index>> choices(Index count) {
    std::vector<std::vector<Index>> all;
    for (unsigned bits = 0; bits < 1U << n; ++bits) {
      std::vector<Index> one;
      for (Index i = 0; i < n; ++i)
        if ((bits >> i & 1U) != 0) one.push_back(i);
      if (static_cast<Index>(one.size()) == count) all.push_back(one);
    }
    return all;
  }
};

TEST_F(PropLinkCriticalReconstruction, EveryChoiceOfEigenvectorsIsCriticalForBoth) {
  const auto all = choices(s);
  ASSERT_EQ(all.size(), 35U);
  std::uint64_t seed = 0;
  for (const auto& chosen : all)
    for (int turn = 0; turn < 3; ++turn) {
      const Matrix H = point(chosen, ++seed);
      EXPECT_LE(dual_gradient(G, H).norm(), rounding);
      EXPECT_LE(reconstruction_gradient(G, H).norm(), rounding);
      EXPECT_NEAR(evaluate_dual(H, G * H, {}).value, -0.5 * values(chosen).sum(), rounding);
      EXPECT_NEAR(4 * reconstruction(G, H), values.squaredNorm() - values(chosen).squaredNorm(), 10 * rounding);
    }
}

TEST_F(PropLinkCriticalReconstruction, ReconstructionGradientEqualsDifferences) {
  const Matrix H = random_normal(n, s, 3), D = random_normal(n, s, 4);
  const double h = 1e-3;  // J is a polynomial of degree 4, so this formula is exact
  const auto at = [&](double a) { return reconstruction(G, H + a * D); };
  const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  EXPECT_NEAR(reconstruction_gradient(G, H).cwiseProduct(D).sum(), slope, 100 * n * epsilon * at(0) / h);
}

TEST_F(PropLinkCriticalReconstruction, ElsewhereNeitherGradientVanishes) {
  std::uint64_t seed = 100;
  for (const auto& chosen : choices(s))
    for (const double distance : {1.0, 1e-2, 1e-4}) {
      ++seed;
      const Matrix H = point(chosen, seed) + distance * random_normal(n, s, seed + 1000);
      const double least = 1e-3 * distance;
      EXPECT_GE(dual_gradient(G, H).norm(), least) << distance;
      EXPECT_GE(reconstruction_gradient(G, H).norm(), least) << distance;
      EXPECT_GE(least, 100 * rounding);
    }
}

// The converse. If (HH' - G)H = 0, then H = U sqrt(Lambda) R' with as many eigenvectors as its rank. If the rank is s,
// d has a gradient, and it is zero. If the rank is lower, H = Y holds with the pseudo-inverse, but d has no gradient:
// it still falls, at first order, along an eigenvector that is missing.
TEST_F(PropLinkCriticalReconstruction, BelowFullRankDFallsAlthoughBothFormulasVanish) {
  for (const Index rank : {Index{0}, Index{1}, Index{2}})
    for (const auto& chosen : choices(rank)) {
      const Matrix H = rank == 0 ? Matrix::Zero(n, s) : point(chosen, 7);
      const RankRule rule{.relative = 1e-12, .absolute = 1e-12};
      EXPECT_LE((H - evaluate_dual(H, G * H, rule).Y).norm(), rounding);
      EXPECT_LE(reconstruction_gradient(G, H).norm(), rounding);
      const Matrix kernel = test::null_space(H);  // kernel of H itself: H kernel = 0
      const Vector v = (rank == 0 ? Vector(Vector::Unit(s, 0)) : Vector(kernel.col(0))).normalized();
      for (Index k = 0; k < n; ++k) {
        if (std::find(chosen.begin(), chosen.end(), k) != chosen.end()) continue;
        const double a = 1e-3;
        const Matrix moved = H + a * Q.col(k) * v.transpose();
        const double change = evaluate_dual(moved, G * moved, rule).value + 0.5 * values(chosen).sum();
        const double new_sigma = a * std::sqrt(values[k]), noise = n * epsilon * values[0] * values[0] / new_sigma;
        EXPECT_NEAR(change, a * a / 2 - new_sigma, rounding + noise) << rank << " " << k;
      }
    }
}

// If u_k is mixed into u_i, the second derivative of d is 1 - lambda_k / lambda_i. It is negative if a larger
// eigenvalue is left out. So every critical point except the optimal ones is a saddle, and there is no other local
// minimum.
TEST_F(PropLinkCriticalReconstruction, EveryChoiceButTheTopOneIsAStrictSaddle) {
  const double a = 1e-3;
  for (const auto& chosen : choices(s)) {
    double lowest = 1;
    const Matrix H = Q(Eigen::all, chosen) * Vector(values(chosen).cwiseSqrt()).asDiagonal();
    for (Index k = 0; k < n; ++k) {
      if (std::find(chosen.begin(), chosen.end(), k) != chosen.end()) continue;
      for (Index j = 0; j < s; ++j) {
        Matrix moved = H;
        moved.col(j) += a * Q.col(k);
        const double change = evaluate_dual(moved, G * moved, {}).value - evaluate_dual(H, G * H, {}).value;
        const double ratio = values[k] / values[chosen[static_cast<std::size_t>(j)]];
        // The bound is twice the next term of the series, plus rounding.
        const double next = a * a * ratio * ratio * ratio / (4 * values[k]);
        const double bound = 2 * next + 10 * n * epsilon * values[0] / (a * a);
        EXPECT_NEAR(2 * change / (a * a), 1 - ratio, bound);
        lowest = std::min(lowest, 2 * change / (a * a));
      }
    }
    const bool is_top = chosen.back() == s - 1;
    EXPECT_EQ(lowest > 0, is_top);
  }
}

// tol = 1e-12 means a relative gradient |H - Y| / |H| of 1e-7. Near the minimum the relative error of d is the square
// of that divided by the relative gap g at the cut. It is also at most g if eigenvectors on both sides of the cut are
// exchanged. So it is at most 1e-7 for every g, and an error above 1e-6 belongs to another critical point.
constexpr double small_tol = 1e-12, suboptimal = 1e-6;
#ifdef DUALKPCA_FEWER_TRIALS  // sanitizers check the code and not the mathematics
constexpr int runs = 5;
#else
constexpr int runs = 100;
#endif

enum class Kind { fast, slow, flat, clustered, repeated, tied, low_rank, near_identity, spiked };
constexpr std::array kind_names = {"fast", "slow",     "flat",          "clustered", "repeated",
                                   "tied", "low_rank", "near_identity", "spiked"};

Vector spectrum(Kind kind, Index n, Index s, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  Vector values(n);
  for (Index i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    switch (kind) {
      case Kind::fast: values[i] = std::pow(0.4, x); break;
      case Kind::slow: values[i] = 1 / (1 + x); break;
      case Kind::flat: values[i] = 2 - x / static_cast<double>(n); break;
      case Kind::clustered: values[i] = i < s + 3 ? 5 + 0.05 * uniform(random) : uniform(random); break;
      case Kind::repeated: values[i] = static_cast<double>(4 - std::min<Index>(3, i / 3)); break;
      case Kind::tied: values[i] = i < s ? 2 : 2 - 1e-3; break;
      case Kind::low_rank: values[i] = i < (s + 1) / 2 ? std::pow(0.1, x) : 0; break;
      case Kind::near_identity: values[i] = 1 + (i < s ? 0.02 + 0.01 * uniform(random) : 0); break;
      default: values[i] = i == 0 ? 1e6 : 1 + uniform(random);
    }
  }
  return values;
}

struct Ended {
  SolveResult result{};
  double error = 0;  // 1 - 2|d(H)| / Lambda_s, computed by Eigen
};
Ended run_lbfgs(const Matrix& G, Index s, const SolverParams& params) {
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  Ended ended{.result = solve(*gram, s, params)};
  const Matrix& H = ended.result.H;
  const Matrix S = H.transpose() * G * H;
  const double root = test::eigenvalues_descending(S).cwiseMax(0.0).cwiseSqrt().sum();
  ended.error = 1 - 2 * (root - 0.5 * H.squaredNorm()) / test::eigenvalues_descending(G).head(s).sum();
  return ended;
}

class LbfgsFromRandomStarts : public testing::TestWithParam<Kind> {};

TEST_P(LbfgsFromRandomStarts, NeverEndAtASuboptimalCriticalPoint) {
  std::mt19937_64 random(17);
  int stuck = 0;
  for (int number = 0; number < runs; ++number) {
    const Index n = std::uniform_int_distribution<Index>(20, 60)(random);
    const Index s = std::uniform_int_distribution<Index>(1, 8)(random);
    const auto seed = static_cast<std::uint64_t>(number);
    const Matrix G = test::with_spectrum(spectrum(GetParam(), n, s, random), seed + 1000);
    const Ended run = run_lbfgs(G, s, {.name = SolverName::lbfgs, .tol = small_tol, .max_iter = 20000, .seed = seed});
    EXPECT_EQ(run.result.status, Status::converged)
        << "run " << number << " with " << n << " rows, eta " << run.result.eta << ": " << run.result.message;
    stuck += run.error > suboptimal ? 1 : 0;
  }
  EXPECT_EQ(stuck, 0);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, LbfgsFromRandomStarts,
                         testing::Values(Kind::fast, Kind::slow, Kind::flat, Kind::clustered, Kind::repeated,
                                         Kind::tied, Kind::low_rank, Kind::near_identity, Kind::spiked),
                         [](const auto& p) { return kind_names[static_cast<std::size_t>(p.param)]; });

// A problem whose solver starts at `distance` from a critical point. The start is always the range of
// random_normal(n, s, seed), so the chosen eigenvectors of G are made from this range.
struct NearCritical {
  static constexpr Index n = 50, s = 3;
  Matrix G{};
  double error = 0;  // error at the critical point
  NearCritical(const std::vector<Index>& chosen, double distance, std::uint64_t seed) {
    Matrix basis = random_normal(n, n, seed + 100);
    basis.leftCols(s) = random_normal(n, s, seed) + distance * random_normal(n, s, seed + 200);
    const Matrix Q = test::orthonormal(basis);
    std::vector<Index> order = chosen;
    for (Index i = 0; i < n; ++i)
      if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) order.push_back(i);
    const Vector values = Vector::LinSpaced(n, 1, n).cwiseInverse(), ordered = values(order);
    G = Q * ordered.asDiagonal() * Q.transpose();
    G = (0.5 * (G + G.transpose())).eval();
    error = 1 - ordered.head(s).sum() / values.head(s).sum();
  }
};
const std::vector<std::vector<Index>> saddles = {{0, 1, 3}, {1, 2, 3}, {10, 20, 40}};
constexpr std::uint64_t starts = runs / 10 + 1;

TEST(LbfgsNearACriticalPoint, LeavesItIfTheGradientIsAboveTheTolerance) {
  for (const auto& chosen : saddles)
    for (const double distance : {1e-1, 1e-2, 1e-3, 1e-4})
      for (std::uint64_t seed = 0; seed < starts; ++seed) {
        const Ended run = run_lbfgs(NearCritical(chosen, distance, seed).G, NearCritical::s,
                                    {.name = SolverName::lbfgs, .tol = small_tol, .seed = seed});
        EXPECT_EQ(run.result.status, Status::converged);
        EXPECT_LE(run.error, suboptimal) << chosen[0] << " " << distance;
      }
}

// The gradient is zero at the start. The products of the challenge begin with random directions and show the missing
// components.
TEST(LbfgsNearACriticalPoint, LeavesItIfTheGradientIsZero) {
  for (const auto& chosen : saddles)
    for (std::uint64_t seed = 0; seed < starts; ++seed) {
      const NearCritical problem(chosen, 0, seed);
      SolverParams params{.name = SolverName::lbfgs, .tol = small_tol, .seed = seed};
      const Ended run = run_lbfgs(problem.G, NearCritical::s, params);
      EXPECT_EQ(run.result.status, Status::converged);
      EXPECT_LE(run.error, suboptimal) << chosen[0] << " " << seed;
      params.accuracy = Accuracy::certified;
      const Ended certified = run_lbfgs(problem.G, NearCritical::s, params);
      EXPECT_EQ(certified.result.status == Status::converged, certified.error <= suboptimal);
      EXPECT_GE(certified.result.eta, certified.error - 1e-14);
    }
}

// tol = 1e-5 accepts a relative gradient of 3e-4, so every start within 1e-4 of this saddle looks converged. If G is
// near the identity, with a gap of 2 to 3 percent, random starts that contain little of the top eigenvector look
// converged, too.
TEST(LbfgsNearACriticalPoint, LeavesItWithALooseTolerance) {
  for (std::uint64_t seed = 0; seed < starts; ++seed) {
    const NearCritical problem(saddles[0], 1e-4, seed);
    const SolverParams params{.name = SolverName::lbfgs, .tol = 1e-5, .seed = seed};
    EXPECT_LE(run_lbfgs(problem.G, NearCritical::s, params).error, params.tol);
  }
  std::mt19937_64 random(17);
  int stuck = 0, stuck_below = 0, denied = 0;
  for (int number = 0; number < 100; ++number) {
    const auto seed = static_cast<std::uint64_t>(number);
    const Matrix G = test::with_spectrum(spectrum(Kind::near_identity, 60, 1, random), seed + 1000);
    SolverParams params{.name = SolverName::lbfgs, .tol = 1e-5, .seed = seed};
    const Ended blind = run_lbfgs(G, 1, params);
    stuck += blind.result.status == Status::converged && blind.error > 1e-3 ? 1 : 0;
    params.accuracy = Accuracy::certified;
    const Ended certified = run_lbfgs(G, 1, params);
    stuck_below +=
        run_lbfgs(G, 1, {.name = SolverName::lbfgs, .tol = small_tol, .seed = seed}).error > suboptimal ? 1 : 0;
    denied += certified.result.eta < certified.error - 1e-12 ? 1 : 0;
  }
  EXPECT_EQ(stuck, 0);
  EXPECT_EQ(stuck_below, 0);
  EXPECT_EQ(denied, 0);
  RecordProperty("stuck", stuck);
}

}  // namespace
}  // namespace dualkpca::critical_points_test
