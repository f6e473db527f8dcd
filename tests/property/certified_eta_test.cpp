// A certified eta is never below the true error, for many kinds of problems.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/solver/solver.hpp"
#include "gram/reduced_center.hpp"
#include "solver/krylov_process.hpp"
#include "support/naive.hpp"

namespace dualkpca::certified_eta_test {
namespace {

constexpr int kinds = 9;
#ifdef DUALKPCA_FEWER_TRIALS  // sanitizers check the code and not the mathematics
constexpr int problems = 60;
#else
constexpr int problems = 600;
#endif

Vector spectrum(int kind, Index n, Index s, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  Vector values(n);
  const double rate = 0.3 + 0.6 * uniform(random);
  for (Index i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    switch (kind) {
      case 0: values[i] = 2 - x / static_cast<double>(n); break;                      // flat
      case 1: values[i] = std::pow(rate, x); break;                                   // geometric
      case 2: values[i] = i < s + 3 ? 5 + 0.01 * uniform(random) : rate; break;       // a cluster across the cut
      case 3: values[i] = static_cast<double>(4 - std::min<Index>(3, i / 4)); break;  // repeated
      case 4: values[i] = 1 + (i < s ? 0.02 * rate : 0); break;                       // near the identity
      case 5: values[i] = i < s - 1 ? 1 + rate : 0; break;                            // rank deficient
      case 6: values[i] = 1 / (1 + x); break;
      case 7: values[i] = i < s ? 10 : 9.9 * std::pow(rate, x - static_cast<double>(s)); break;
      default: values[i] = uniform(random);
    }
  }
  return values;
}

struct Problem {
  Matrix K{};
  std::unique_ptr<GramOperator> gram{};
  Matrix G{};  // the exact matrix in float64
  Index s = 0;
};

Problem make_problem(int number, std::mt19937_64& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Problem p;
  const Index n = pick(40, 140);
  p.s = pick(1, 7);
  const bool centered = number % 2 == 0;
  const Precision precision = number % 4 < 2 ? Precision::float64 : Precision::float32;
  if (number % 3 == 0) {  // a kernel matrix of points, some of which occur twice
    Matrix X = random_normal(n, pick(1, 8), static_cast<std::uint64_t>(number));
    X.topRows(n / 8) = X.bottomRows(n / 8).eval();
    const KernelName name = pick(0, 1) == 0 ? KernelName::rbf : KernelName::laplace;
    p.K = test::naive_kernel_matrix({name, std::pow(10.0, pick(-2, 1)), 1, 0}, X, X);
  } else {
    p.K = test::with_spectrum(spectrum(number / 3 % kinds, n, p.s, random), static_cast<std::uint64_t>(number));
  }
  p.G = centered ? test::naive_centered(p.K) : p.K;
  p.gram = make_precomputed_gram(p.K, precision, 1);
  if (centered) p.gram = std::make_unique<CenteredGram>(std::move(p.gram));
  if (number % 6 == 1) {  // the centre lies on few rows
    const std::vector<Index> rows = {0, n / 2, n - 1};
    const Vector weights{{0.6, -0.2, 0.5}};
    p.G = test::naive_centered_at(p.K, test::spread(n, rows, weights));
    p.gram = std::make_unique<ReducedCenterGram>(std::move(p.gram), rows, weights);
  }
  return p;
}

// 1 - 2|d(H)| / Lambda_s with the exact matrix.
double true_error(const Problem& p, const Matrix& H) {
  const Matrix S = H.transpose() * p.G * H;
  const double root = test::eigenvalues_descending(S).cwiseMax(0.0).cwiseSqrt().sum();
  return 1 - 2 * (root - 0.5 * H.squaredNorm()) / test::eigenvalues_descending(p.G).head(p.s).sum();
}

TEST(CertifiedEta, IsNeverBelowTheTrueError) {
  std::mt19937_64 random(7);
  int claimed = 0, converged = 0;
  double ratio = 0;
  for (int number = 0; number < problems; ++number) {
    const Problem p = make_problem(number, random);
    const double tol = std::pow(10.0, -1 - number % 5);
    const SolverName name = number % 5 == 4 ? SolverName::lbfgs : SolverName::krylov;
    const SolveResult result = solve(*p.gram, p.s,
                                     {.name = name,
                                      .tol = tol,
                                      .accuracy = Accuracy::certified,
                                      .max_iter = number % 7 == 0 ? 3 : 60,
                                      .seed = static_cast<std::uint64_t>(number)});
    if (result.eta_kind != EtaKind::certified || p.G.norm() < 1e-12) continue;
    ++claimed;
    converged += result.status == Status::converged ? 1 : 0;
    const double error = true_error(p, result.H);
    EXPECT_GE(result.eta, error - 1e-12) << "problem " << number << ", tol " << tol;
    if (result.status == Status::converged) {
      EXPECT_LE(result.eta, tol) << number;
    }
    ratio += std::log10(std::max(result.eta, 1e-12) / std::max(error, 1e-12));
  }
  EXPECT_GT(claimed, problems * 9 / 10);
  EXPECT_GT(converged, problems * 2 / 3);
  RecordProperty("claimed", claimed);
  RecordProperty("converged", converged);
  RecordProperty("mean_log10_of_eta_over_error", std::to_string(ratio / claimed));
}

// The start block is orthogonal to one eigenvector of a diagonal matrix, so no rounding adds it.
struct Hidden {
  static constexpr Index n = 120, s = 4;
  Matrix G = Matrix::Zero(n, n);
  Matrix start = random_normal(n, 8, 3);
  Hidden() {
    for (Index i = 0; i < n; ++i) G(i, i) = i == 0 ? 5 : std::pow(0.8, static_cast<double>(i));
    start.row(0).setZero();
  }
  // Returns the certified eta and the true error after enough steps for the rest of the spectrum to converge.
  [[nodiscard]] std::pair<double, double> run(bool use_probes) const {
    const auto gram = make_precomputed_gram(G, Precision::float64, 1);
    KrylovProcess process(*gram, s, {.block = 8, .max_columns = 120, .seed = 1, .use_probes = use_probes});
    process.start(start);
    process.start_certifying();
    for (int step = 0; step < 6 && process.can_step(); ++step) process.step();
    const double sum = process.spectrum().sum(s), all = G.diagonal().head(s).sum();
    const auto [excess, errors] = process.certificate();
    return {eta_of_excess(sum, excess, s, errors), 1 - sum / all};
  }
};

TEST(CertifiedEta, SeesAnEigenvectorHiddenFromTheStart) {
  const auto [eta, error] = Hidden().run(true);
  EXPECT_GE(eta, error - 1e-12);
}

TEST(CertifiedEta, WithoutProbesTheHiddenEigenvectorWouldBeDenied) {
  const auto [eta, error] = Hidden().run(false);
  EXPECT_GT(error, 0.3);
  EXPECT_LT(eta, 1e-6);  // residuals alone give this eta, so they are no certificate
}

}  // namespace
}  // namespace dualkpca::certified_eta_test
