// Rows whose certified errors are tested: every kernel is evaluated by the library and by its formula.
#include <fmt/format.h>

#include <cmath>

#include "property/certified_problems.hpp"
#include "support/csr.hpp"
#include "support/unfriendly_rows.hpp"

namespace dualkpca::certified_eta_test {
namespace {

constexpr std::initializer_list<KernelName> certifiable = {
    KernelName::rbf,      KernelName::laplace, KernelName::laplacian, KernelName::matern32,
    KernelName::matern52, KernelName::poly,    KernelName::linear,    KernelName::cosine};

KernelPCAParams certified(test::Dice& dice, int number) {
  KernelPCAParams params{.n_components = dice.pick(1, 6), .center = dice.chance(0.5), .threads = 1};
  params.kernel.name = dice.one_of(certifiable);
  const bool has_median = params.kernel.name != KernelName::poly;
  params.kernel.gamma = dice.one_of({GammaRule::automatic, has_median ? GammaRule::median : GammaRule::scale});
  params.kernel.degree = static_cast<int>(dice.pick(1, 3));
  params.kernel.coef0 = dice.uniform(0, 2);
  params.precision = dice.one_of({Precision::float32, Precision::float64});
  params.solver = {.name = dice.one_of({SolverName::krylov, SolverName::krylov, SolverName::automatic}),
                   .tol = dice.power(-6, -1),
                   .accuracy = Accuracy::certified,
                   .max_iter = 100,
                   .seed = static_cast<std::uint64_t>(number)};
  return params;
}

Claim fit(const KernelPCAParams& params, const Matrix& X, int number) {
  KernelPCA pca(params);
  const bool is_sparse = number % 3 == 1;
  const auto csr = test::csr_of(X);
  pca.fit(is_sparse ? SamplesView(csr.view()) : SamplesView(X));
  const FitReport& report = pca.report();
  Claim claim{.kind = report.eta_kind,
              .status = report.status,
              .tol = params.solver.tol,
              .eta = report.eta,
              .H = pca.dual_variables()};
  if (number % 4 == 0) claim.check = pca.check(X, {.seed = 1000 + static_cast<std::uint64_t>(number), .threads = 1});
  if (!claim.is_certified() && !(claim.check && claim.check->eta_kind == EtaKind::certified)) return claim;
  claim.exact = test::exact_gram(
      {params.kernel.name, report.gamma.value_or(1), params.kernel.degree, params.kernel.coef0}, X, params.center);
  claim.description = fmt::format(
      "n {}, d {}, {}, {}, gamma {}, s {}, {}, {}, {}, tol {:.1g}", X.rows(), X.cols(), is_sparse ? "sparse" : "dense",
      to_string(params.kernel.name), report.gamma.value_or(0), report.n_components,
      params.center ? "centred" : "uncentred", to_string(report.precision), to_string(report.solver), claim.tol);
  return claim;
}

Index number_of_rows(test::Dice& dice) { return dice.chance(0.3) ? dice.pick(257, 320) : dice.pick(40, 150); }

std::uint64_t seed_of(int kind, int number) { return static_cast<std::uint64_t>(1000000 * kind + number); }

}  // namespace

Claim fit_ordinary_rows(int number) {
  test::Dice dice(seed_of(1, number));
  const KernelPCAParams params = certified(dice, number);
  return fit(params, test::blobs(dice, number_of_rows(dice), dice.pick(1, 8)), number);
}

// A few rows far away, whose products have larger rounding errors than those of the others.
Claim fit_heavy_rows(int number) {
  test::Dice dice(seed_of(2, number));
  KernelPCAParams params = certified(dice, number);
  params.n_components = dice.pick(2, 6);
  if (dice.chance(0.3)) params.precision.reset();
  if (params.kernel.name != KernelName::cosine && dice.chance(0.7)) {
    params.kernel.name = dice.one_of({KernelName::rbf, KernelName::laplace, KernelName::matern32});
    params.kernel.gamma = 1.0;
  }
  Matrix X = dice.uniform_rows(dice.pick(270, 400), 3, 12);
  const Index groups = dice.pick(1, 3), size = dice.pick(2, 6);
  for (Index g = 0; g < groups; ++g) test::move_away(dice, X, g * size, size, dice.power(2, 8));
  params.solver.tol = dice.power(-10, -1);
  return fit(params, X, number);
}

// The same among more rows. They are so scattered that the exact matrix falls into small blocks.
Claim fit_heavy_rows_of_many(int number) {
  test::Dice dice(seed_of(3, number));
  const Index n = dice.pick(600, 1400);
  Matrix X = test::scattered_rows(dice, n, dice.uniform(50, 100), dice.pick(0, 3));
  for (Index g = 0; g < 2; ++g) {
    const Index size = dice.pick(2, 6);
    test::move_away(dice, X, g * size, size, dice.power(5, 8));
  }
  KernelPCAParams params = certified(dice, number);
  params.kernel = {.name = KernelName::rbf, .gamma = 1.0};
  params.n_components = dice.pick(2, 6);
  params.center = false;
  if (dice.chance(0.3)) params.precision.reset();
  params.solver.tol = dice.power(-8, -1);
  return fit(params, X, number);
}

// Small tight clusters that a random start hardly sees.
Claim fit_hidden_clusters(int number) {
  test::Dice dice(seed_of(4, number));
  KernelPCAParams params = certified(dice, number);
  Matrix X = dice.uniform_rows(dice.chance(0.3) ? dice.pick(257, 330) : dice.pick(100, 200), dice.pick(2, 5), 3);
  test::add_tight_clusters(dice, X, dice.pick(1, 4), dice.pick(2, 8), dice.power(-3, -1));
  params.kernel.name = dice.one_of({KernelName::rbf, KernelName::laplace, KernelName::laplacian, KernelName::matern52});
  params.kernel.gamma = dice.power(0, 1.5);
  params.solver.tol = dice.power(-4, -1);
  return fit(params, X, number);
}

// Rows that occur many times: eigenvalues are repeated, and most of them are zero.
Claim fit_repeated_rows(int number) {
  test::Dice dice(seed_of(5, number));
  KernelPCAParams params = certified(dice, number);
  const Index distinct = dice.pick(2, 20);
  params.solver.tol = dice.power(-10, -1);
  return fit(params, test::repeated_rows(dice, number_of_rows(dice), dice.pick(1, 8), distinct), number);
}

Claim fit_near_identity(int number) {
  test::Dice dice(seed_of(6, number));
  const Index n = dice.pick(200, 600);
  const Matrix X = test::scattered_rows(dice, n, 100, dice.pick(0, 5));
  KernelPCAParams params = certified(dice, number);
  params.kernel = {.name = dice.one_of({KernelName::rbf, KernelName::laplace}), .gamma = 1.0};
  if (params.kernel.name == KernelName::laplace) params.kernel.gamma = 8.0;
  params.center = false;
  params.solver.tol = dice.power(-6, -0.3);
  return fit(params, X, number);
}

Claim fit_to_tiny_tolerance(int number) {
  test::Dice dice(seed_of(7, number));
  KernelPCAParams params = certified(dice, number);
  params.precision.reset();
  params.solver.tol = dice.power(-13, -8);
  params.solver.max_iter = 300;
  return fit(params, test::blobs(dice, dice.pick(30, 130), dice.pick(1, 8)), number);
}

Claim fit_by_other_solvers(int number) {
  test::Dice dice(seed_of(8, number));
  KernelPCAParams params = certified(dice, number);
  params.solver.name = dice.one_of({SolverName::lbfgs, SolverName::dense, SolverName::lanczos, SolverName::nystrom,
                                    SolverName::rsvd, SolverName::dca});
  Matrix X = test::blobs(dice, number_of_rows(dice), dice.pick(1, 8));
  if (dice.chance(0.5)) test::add_tight_clusters(dice, X, dice.pick(1, 3), dice.pick(2, 8), 0.01);
  params.solver.tol = dice.power(-9, -1);
  return fit(params, X, number);
}

// All rows lie far from the origin, in large or small units, or are close to each other for the kernel.
Claim fit_far_rows(int number) {
  test::Dice dice(seed_of(9, number));
  KernelPCAParams params = certified(dice, number);
  Matrix X = test::blobs(dice, number_of_rows(dice), dice.pick(1, 8));
  const double unit = dice.one_of({1.0, dice.power(-6, 6)});
  const double offset = dice.power(0, 6);
  for (Index j = 0; j < X.cols(); ++j) X.col(j).array() += offset * dice.normal();
  X *= unit;
  if (dice.chance(0.3) && params.kernel.name != KernelName::poly) params.kernel.gamma = dice.power(-9, 0) / unit;
  params.solver.tol = dice.power(-8, -1);
  return fit(params, X, number);
}

}  // namespace dualkpca::certified_eta_test
