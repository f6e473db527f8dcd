// A certified eta is never below the true error, for many kinds of problems.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "property/certified_problems.hpp"
#include "solver/krylov_process.hpp"
#include "support/unfriendly_rows.hpp"

namespace dualkpca::certified_eta_test {
namespace {

#ifdef DUALKPCA_FEWER_TRIALS  // sanitizers check the code and not the mathematics
constexpr int fewer = 20;
#else
constexpr int fewer = 1;
#endif

// Counts over the problems of a kind.
struct Count {
  int problems = 0, refused = 0, certified = 0, converged = 0, wrong = 0, checks = 0, wrong_checks = 0;
  double worst = 0;                 // largest true error / certified eta
  std::vector<double> sharpness{};  // certified eta / true error

  void print(const char* name) const {
    std::vector<double> sorted = sharpness;
    std::sort(sorted.begin(), sorted.end());
    const double median = sorted.empty() ? 0 : sorted[sorted.size() / 2];
    testing::Test::RecordProperty("certified", certified);
    testing::Test::RecordProperty("wrong", wrong + wrong_checks);
    testing::Test::RecordProperty("worst_error_over_eta", fmt::format("{:.2g}", worst));
    testing::Test::RecordProperty("median_eta_over_error", fmt::format("{:.3g}", median));
    if (std::getenv("DUALKPCA_PRINT_TABLE") == nullptr) return;
    fmt::print("| {:<20} | {:4} | {:3} | {:4} | {:4} | {:3} | {:4} | {:3} | {:8.2g} | {:8.3g} |\n", name, problems,
               refused, certified, converged, wrong, checks, wrong_checks, worst, median);
  }
};

void look_at_check(const Claim& claim, test::ExactGram& exact, Count& count) {
  const CheckReport& check = *claim.check;
  if (check.eta_kind != EtaKind::certified) return;
  ++count.checks;
  const test::Range error = exact.error(claim.H), sum = exact.sum();
  const bool is_wrong = exact.error_exceeds(claim.H, check.eta) || error.high < check.eta_low ||
                        check.upper_bound < sum.low || check.lower_bound > sum.high;
  count.wrong_checks += is_wrong ? 1 : 0;
  EXPECT_FALSE(is_wrong)
      << claim.description
      << fmt::format(": check says eta {} to {} and a sum of {:.17g} to {:.17g}, but they are {} and {:.17g}",
                     check.eta_low, check.eta, check.lower_bound, check.upper_bound, static_cast<double>(error.high),
                     static_cast<double>(sum.high));
}

void look_at(Claim& claim, Count& count) {
  const bool is_checked = claim.check && claim.check->eta_kind == EtaKind::certified;
  count.certified += claim.is_certified() ? 1 : 0;
  count.converged += claim.is_certified() && claim.status == Status::converged ? 1 : 0;
  if (!claim.is_certified() && !is_checked) return;
  test::ExactGram exact(std::move(claim.exact), claim.H.cols());
  if (!exact.has_variance()) return;
  if (is_checked) look_at_check(claim, exact, count);
  if (!claim.is_certified()) return;
  if (claim.status == Status::converged) {
    EXPECT_LE(claim.eta, claim.tol) << claim.description;
  }
  const bool is_wrong = exact.error_exceeds(claim.H, claim.eta);
  const test::Range range = exact.error(claim.H);
  const auto error = static_cast<double>(std::max(0.0L, 0.5L * (range.low + range.high)));
  count.wrong += is_wrong ? 1 : 0;
  EXPECT_FALSE(is_wrong) << claim.description << ": eta " << claim.eta << ", true error " << error;
  if (range.low <= 0) return;  // this error is rounding of the reference
  count.worst = std::max(count.worst, error / claim.eta);
  count.sharpness.push_back(claim.eta / error);
}

class CertifiedEta : public testing::TestWithParam<Kind> {};

TEST_P(CertifiedEta, IsNeverBelowTheTrueError) {
  Count count;
  const int begin = test::first_problem();
  for (int number = begin; number < begin + GetParam().problems; number += fewer) {
    SCOPED_TRACE(fmt::format("problem {}", number));
    ++count.problems;
    try {
      Claim claim = GetParam().solve(number);
      look_at(claim, count);
    } catch (const DataError&) {
      ++count.refused;
    }
  }
  count.print(GetParam().name);
  EXPECT_GE(count.certified, GetParam().certified * count.problems);
  EXPECT_LE(count.refused, 0.05 * count.problems);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, CertifiedEta,
    testing::Values(Kind{"spectrum", 400, 0.9, solve_spectrum},  //
                    Kind{"points", 140, 0.9, solve_points}, Kind{"restarts", 150, 0.7, solve_with_restarts},
                    Kind{"ordinary_rows", 350, 0.7, fit_ordinary_rows}, Kind{"heavy_rows", 160, 0.5, fit_heavy_rows},
                    Kind{"heavy_rows_of_many", 50, 0.4, fit_heavy_rows_of_many},
                    Kind{"hidden_clusters", 150, 0.7, fit_hidden_clusters},
                    Kind{"repeated_rows", 150, 0.7, fit_repeated_rows},
                    Kind{"near_identity", 80, 0.5, fit_near_identity},
                    Kind{"tiny_tolerance", 150, 0.5, fit_to_tiny_tolerance},
                    Kind{"other_solvers", 150, 0.5, fit_by_other_solvers}, Kind{"far_rows", 100, 0.5, fit_far_rows}),
    [](const auto& kind) { return std::string(kind.param.name); });

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

TEST(HiddenEigenvector, SeesAnEigenvectorHiddenFromTheStart) {
  const auto [eta, error] = Hidden().run(true);
  EXPECT_GE(eta, error - 1e-12);
}

TEST(HiddenEigenvector, WithoutProbesTheHiddenEigenvectorWouldBeDenied) {
  const auto [eta, error] = Hidden().run(false);
  EXPECT_GT(error, 0.3);
  EXPECT_LT(eta, 1e-6);  // residuals alone give this eta, so they are no certificate
}

}  // namespace
}  // namespace dualkpca::certified_eta_test
