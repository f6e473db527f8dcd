// A plain fit of unfriendly rows is right, or says that it is not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "support/exact.hpp"
#include "support/unfriendly_rows.hpp"

namespace dualkpca::plain_fits_test {
namespace {

#ifdef DUALKPCA_FEWER_TRIALS  // sanitizers check the code and not the mathematics
constexpr int fewer = 10;
#else
constexpr int fewer = 1;
#endif

// A kind of rows.
struct Kind {
  const char* name;
  int fits;
  std::uint64_t seed;  ///< seed of the first fit
  Matrix (*rows)(test::Dice& dice);
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

Matrix ordinary(test::Dice& dice) {
  return test::blobs(dice, dice.chance(0.15) ? dice.pick(300, 450) : dice.pick(40, 260), dice.pick(2, 8));
}

Matrix mixed_columns(test::Dice& dice) {
  Matrix X = ordinary(dice);
  for (Index j = 0; j < X.cols(); ++j) X.col(j) *= dice.power(-3, 6);
  return X;
}

// Some cells or rows have a number that stands for "missing".
Matrix sentinels(test::Dice& dice) {
  Matrix X = ordinary(dice);
  const double value = dice.one_of({-9999.0, 1e9});
  const bool whole_rows = dice.chance(0.5);
  for (Index count = dice.pick(1, 6); count > 0; --count) {
    const Index i = dice.pick(0, X.rows() - 1);
    if (whole_rows)
      X.row(i).setConstant(value);
    else
      X(i, dice.pick(0, X.cols() - 1)) = value;
  }
  return X;
}

Matrix close_pairs(test::Dice& dice) {
  Matrix X = ordinary(dice);
  const double distance = dice.one_of({0.0, dice.power(-14, -4)});
  for (Index i = 0; i + 1 < X.rows(); i += 2) X.row(i) = X.row(i + 1) + distance * dice.normal_rows(1, X.cols()).row(0);
  return X;
}

// Groups with a structure of size 1, far from each other.
Matrix far_clusters(test::Dice& dice) {
  Matrix X = ordinary(dice);
  const Index groups = dice.pick(2, 4), first = dice.chance(0.5) ? 0 : X.rows() - 10;
  const Matrix places = dice.power(3, 8) * dice.normal_rows(groups, X.cols());
  for (Index i = first; i < X.rows(); ++i) X.row(i) += places.row(i % groups);
  return X;
}

Matrix tiny_units(test::Dice& dice) { return dice.one_of({1e-10, 1e-20, 1e-30, 1e-100}) * ordinary(dice); }
Matrix huge_units(test::Dice& dice) { return dice.one_of({1e6, 1e12, 1e20}) * ordinary(dice); }

Matrix heavy_tails(test::Dice& dice) {
  Matrix X = ordinary(dice);
  const double exponent = dice.uniform(2, 6);
  for (double& x : X.reshaped()) x = std::copysign(std::pow(std::abs(x), exponent), x) * std::exp(dice.normal());
  return X;
}

Matrix one_entry(test::Dice& dice) {
  Matrix X = dice.normal_rows(60, 4);
  X(dice.pick(0, 59), dice.pick(0, 3)) = 1e9;
  return X;
}

KernelPCAParams plain(test::Dice& dice, int number) {
  KernelPCAParams params{.n_components = dice.pick(1, 5), .center = dice.chance(0.5), .threads = 1};
  params.kernel.name = dice.one_of({KernelName::rbf, KernelName::rbf, KernelName::laplace, KernelName::laplacian,
                                    KernelName::matern32, KernelName::matern52, KernelName::linear, KernelName::poly,
                                    KernelName::cosine, KernelName::sigmoid});
  const bool has_median = params.kernel.name != KernelName::poly && params.kernel.name != KernelName::sigmoid;
  params.kernel.gamma = dice.one_of<Gamma>(
      {GammaRule::automatic, GammaRule::scale, has_median ? GammaRule::median : GammaRule::scale, dice.power(-2, 1)});
  params.kernel.degree = static_cast<int>(dice.pick(1, 3));
  params.kernel.coef0 = dice.one_of({0.0, 1.0});
  if (dice.chance(0.4)) params.precision = dice.one_of({Precision::float32, Precision::float64});
  params.solver = {.tol = dice.one_of({1e-5, 1e-3}), .seed = static_cast<std::uint64_t>(number)};
  if (dice.chance(0.3)) params.solver.name = dice.one_of({SolverName::krylov, SolverName::lbfgs, SolverName::nystrom});
  if (params.kernel.name == KernelName::sigmoid) params.solver.name = SolverName::automatic;
  return params;
}

struct Count {
  int fits = 0, refused = 0, warned = 0, unconverged = 0, wrong = 0, wrong_bounds = 0, wrong_values = 0;
  double worst = 0;  // largest true error / max(eta, 1e-13) of fits that gave no warning

  void print(const char* name) const {
    testing::Test::RecordProperty("refused", refused);
    testing::Test::RecordProperty("warned", warned);
    testing::Test::RecordProperty("wrong", wrong + wrong_bounds + wrong_values);
    if (std::getenv("DUALKPCA_PRINT_TABLE") == nullptr) return;
    fmt::print("| {:<14} | {:4} | {:3} | {:4} | {:4} | {:3} | {:3} | {:3} | {:8.2g} |\n", name, fits, refused, warned,
               unconverged, wrong, wrong_bounds, wrong_values, worst);
  }
};

bool mentions_rounding(const FitReport& report) {
  std::string all = report.message;
  for (const std::string& note : report.notes) all += note;
  return all.find("rounding") != std::string::npos || all.find("precision") != std::string::npos ||
         all.find("tolerance") != std::string::npos;
}

test::KernelCase formula(const KernelPCAParams& params, double gamma) {
  return {params.kernel.name, gamma, params.kernel.degree, params.kernel.coef0};
}

// Returns true if a reported eigenvalue differs from the true one by more than 1 % and by more than eta allows: the
// eigenvalues of a solution fall short of the true ones by eta times their sum in all.
bool has_wrong_value(const FitReport& report, const test::ExactGram& exact) {
  const test::LongVector& values = exact.eigenvalues();
  const long double allowed = 10 * std::max(report.eta, 1e-13) * exact.sum().high + exact.sum().high - exact.sum().low;
  for (Index j = 0; j < report.eigenvalues.size(); ++j)
    if (values[j] > 1e-6L * values[0] && std::abs(report.eigenvalues[j] - values[j]) > 0.01L * values[j] + allowed)
      return true;
  return false;
}

void look_at(const KernelPCA& pca, const KernelPCAParams& params, const Matrix& X, Count& count) {
  const FitReport& report = pca.report();
  const bool converged = report.status == Status::converged, bounded = report.eta_kind == EtaKind::certified;
  const bool warned = mentions_rounding(report);
  count.unconverged += converged ? 0 : 1;
  count.warned += warned ? 1 : 0;
  if (!bounded && (!converged || warned)) return;
  const Matrix H = pca.dual_variables();
  test::ExactGram exact(test::exact_gram(formula(params, report.gamma.value_or(1)), X, params.center), H.cols());
  if (!exact.has_variance()) return;
  const double known = std::max(report.eta, 1e-13);
  if (exact.error_exceeds(H, 10 * known)) exact.sharpen();
  const test::Range range = exact.error(H);
  const bool is_wrong_bound = bounded && exact.error_exceeds(H, report.eta);
  const bool is_wrong = !bounded && range.low > 10 * known,
             is_wrong_value = converged && !warned && has_wrong_value(report, exact);
  count.wrong += is_wrong ? 1 : 0;
  count.wrong_bounds += is_wrong_bound ? 1 : 0;
  count.wrong_values += is_wrong_value ? 1 : 0;
  count.worst = std::max(count.worst, static_cast<double>(range.low) / known);
  EXPECT_FALSE(is_wrong || is_wrong_bound || is_wrong_value)
      << fmt::format("{} x {}, {}, gamma {}, degree {}, s {}, {}, {}, {}, tol {:.0e}: {} eta {:.3g}, true error {:.3g}",
                     X.rows(), X.cols(), to_string(params.kernel.name), report.gamma.value_or(0), params.kernel.degree,
                     H.cols(), params.center ? "centred" : "uncentred", to_string(report.precision),
                     to_string(report.solver), params.solver.tol, to_string(report.eta_kind), report.eta,
                     static_cast<double>(range.low))
      << "; eigenvalues " << report.eigenvalues.transpose() << ", true " << exact.eigenvalues().transpose();
}

// A refusal is right if the kernel values leave the range of the precision, or if no component has a positive
// eigenvalue.
bool is_refusal_right(const KernelPCAParams& params, const Matrix& X) {
  if (params.kernel.name == KernelName::sigmoid) return true;  // its matrix may have large negative eigenvalues
  const double rows = X.rowwise().stableNorm().maxCoeff(),
               gamma = params.kernel.gamma.rule == GammaRule::value ? params.kernel.gamma.value : 1;
  const double most = params.precision == Precision::float32 ? 25 : 150;  // near the ends, sums leave the range
  const double logarithm = 2 * std::log10(rows) + std::log10(gamma);
  return !is_shift_invariant(params.kernel.name) && params.kernel.name != KernelName::cosine &&
         std::abs(logarithm * (params.kernel.name == KernelName::poly ? params.kernel.degree : 1)) > most;
}

class PlainFits : public testing::TestWithParam<Kind> {};

TEST_P(PlainFits, AreRightOrSayThatTheyAreNot) {
  Count count;
  const int begin = test::first_problem();
  for (int number = begin; number < begin + GetParam().fits; number += fewer) {
    SCOPED_TRACE(fmt::format("fit {}", number));
    test::Dice dice(GetParam().seed + static_cast<std::uint64_t>(number));
    const KernelPCAParams params = plain(dice, number);
    const Matrix X = GetParam().rows(dice);
    ++count.fits;
    try {
      look_at(KernelPCA(params).fit(X), params, X, count);
    } catch (const DataError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      const bool is_right = is_refusal_right(params, X);
      count.refused += is_right ? 0 : 1;
      if (!is_right && std::getenv("DUALKPCA_PRINT_TABLE") != nullptr)
        fmt::print("refused: {} fit {}, {}, precision {}: {}\n", GetParam().name, number, to_string(params.kernel.name),
                   params.precision ? to_string(*params.precision) : "auto", error.what());
    }
  }
  count.print(GetParam().name);
  EXPECT_EQ(count.refused, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, PlainFits,
    testing::Values(Kind{"mixed_columns", 60, 1000, mixed_columns},  //
                    Kind{"sentinels", 60, 2000, sentinels}, Kind{"close_pairs", 50, 3000, close_pairs},
                    Kind{"far_clusters", 80, 4000, far_clusters}, Kind{"tiny_units", 60, 5000, tiny_units},
                    Kind{"huge_units", 60, 6000, huge_units}, Kind{"heavy_tails", 60, 7000, heavy_tails},
                    Kind{"one_entry", 70, 8000, one_entry}),
    [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace dualkpca::plain_fits_test
