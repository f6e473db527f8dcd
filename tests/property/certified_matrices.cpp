// Given kernel matrices whose certified errors are tested.
#include <fmt/format.h>

#include <cmath>

#include "dualkpca/gram/centered.hpp"
#include "dualkpca/gram/stored.hpp"
#include "gram/reduced_center.hpp"
#include "property/certified_problems.hpp"
#include "support/unfriendly_rows.hpp"

namespace dualkpca::certified_eta_test {
namespace {

constexpr int spectra = 9;

Vector spectrum(int kind, Index n, Index s, test::Dice& dice) {
  Vector values(n);
  const double rate = dice.uniform(0.3, 0.9);
  for (Index i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    switch (kind) {
      case 0: values[i] = 2 - x / static_cast<double>(n); break;                      // flat
      case 1: values[i] = std::pow(rate, x); break;                                   // geometric
      case 2: values[i] = i < s + 3 ? 5 + 0.01 * dice.uniform(0, 1) : rate; break;    // a cluster across the cut
      case 3: values[i] = static_cast<double>(4 - std::min<Index>(3, i / 4)); break;  // repeated
      case 4: values[i] = 1 + (i < s ? 0.02 * rate : 0); break;                       // near the identity
      case 5: values[i] = i < s - 1 ? 1 + rate : 0; break;                            // rank deficient
      case 6: values[i] = 1 / (1 + x); break;
      case 7: values[i] = i < s ? 10 : 9.9 * std::pow(rate, x - static_cast<double>(s)); break;
      default: values[i] = dice.uniform(0, 1);
    }
  }
  return values;
}

// The matrix of a problem, and its operator.
struct GivenMatrix {
  Matrix K{};
  bool centered = false;
  Precision precision = Precision::float64;
  bool few_centers = false;  // the centre lies on few rows
};

Claim solve_given(const GivenMatrix& given, Index s, const SolverParams& params, std::size_t memory) {
  const Index n = given.K.rows();
  std::unique_ptr<GramOperator> gram = make_precomputed_gram(given.K, given.precision, 1);
  const std::vector<Index> rows = {0, n / 2, n - 1};
  const Vector weights{{0.6, -0.2, 0.5}};
  if (given.few_centers)
    gram = std::make_unique<ReducedCenterGram>(std::move(gram), rows, weights);
  else if (given.centered)
    gram = std::make_unique<CenteredGram>(std::move(gram));
  const SolveResult result = solve(*gram, s, params, {.memory = memory});
  Claim claim{.kind = result.eta_kind, .status = result.status, .tol = params.tol, .eta = result.eta, .H = result.H};
  if (!claim.is_certified()) return claim;
  claim.exact = given.few_centers ? test::exact_centered_at(given.K, test::spread(n, rows, weights))
                                  : test::exact_gram(given.K, given.centered);
  claim.description = fmt::format("n {}, s {}, {}, {}, {}", n, s, given.centered ? "centred" : "uncentred",
                                  to_string(given.precision), to_string(params.name));
  return claim;
}

SolverParams certified(int number, double tol) {
  return {.name = number % 5 == 4 ? SolverName::lbfgs : SolverName::krylov,
          .tol = tol,
          .accuracy = Accuracy::certified,
          .max_iter = number % 7 == 0 ? 3 : 60,
          .seed = static_cast<std::uint64_t>(number)};
}

GivenMatrix given(int number, Matrix K) {
  return {.K = std::move(K),
          .centered = number % 2 == 0,
          .precision = number % 4 < 2 ? Precision::float64 : Precision::float32,
          .few_centers = number % 6 == 1};
}

}  // namespace

Claim solve_spectrum(int number) {
  test::Dice dice(static_cast<std::uint64_t>(number));
  const Index n = number % 10 == 0 ? dice.pick(257, 320) : dice.pick(40, 140), s = dice.pick(1, 7);
  const Vector values = spectrum(number / 3 % spectra, n, s, dice);
  return solve_given(given(number, test::with_spectrum(values, static_cast<std::uint64_t>(number))), s,
                     certified(number, std::pow(10.0, -1 - number % 5)), 0);
}

// Kernel matrices of points, some of which occur twice.
Claim solve_points(int number) {
  test::Dice dice(static_cast<std::uint64_t>(number));
  const Index n = dice.pick(40, 140), s = dice.pick(1, 7);
  Matrix X = dice.normal_rows(n, dice.pick(1, 8));
  X.topRows(n / 8) = X.bottomRows(n / 8).eval();
  const KernelName name = dice.one_of({KernelName::rbf, KernelName::laplace});
  const double gamma = std::pow(10.0, static_cast<double>(dice.pick(-2, 1)));
  return solve_given(given(number, test::naive_kernel_matrix({name, gamma, 1, 0}, X, X)), s,
                     certified(number, std::pow(10.0, -1 - number % 5)), 0);
}

// Slow spectra with little memory: the basis restarts several times.
Claim solve_with_restarts(int number) {
  test::Dice dice(static_cast<std::uint64_t>(number));
  const Index n = dice.pick(120, 240), s = dice.pick(1, 4);
  Vector values(n);
  const double decay = dice.uniform(0.5, 2);
  for (Index i = 0; i < n; ++i) values[i] = std::pow(static_cast<double>(i + 1), -decay);
  if (number % 3 == 0) values = values.cwiseMax(0.9 * values[s]);  // eigenvalues close to the cut
  GivenMatrix matrix = given(number, test::with_spectrum(values, static_cast<std::uint64_t>(number)));
  const double tol = matrix.precision == Precision::float64 ? dice.power(-11, -3) : dice.power(-5, -2);
  return solve_given(matrix, s,
                     {.name = SolverName::krylov,
                      .tol = tol,
                      .accuracy = Accuracy::certified,
                      .max_iter = 200,
                      .seed = static_cast<std::uint64_t>(number)},
                     1);
}

}  // namespace dualkpca::certified_eta_test
