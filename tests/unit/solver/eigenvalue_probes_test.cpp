#include "solver/eigenvalue_probes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dualkpca/core/random.hpp"
#include "support/naive.hpp"

namespace dualkpca::eigenvalue_probes_test {
namespace {

TEST(ProbeThreshold, IsTheQuantileOfTheSmallestOfSeveral) {
  // Published values for algorithms of this kind, with failure probability 1e-6.
  EXPECT_NEAR(probe_threshold(1e-6, 8), 0.225, 5e-4);
  EXPECT_NEAR(probe_threshold(1e-6, 16), 0.556, 5e-4);
  EXPECT_NEAR(probe_threshold(1e-6, 28), 0.861, 5e-4);
  EXPECT_NEAR(std::pow(std::erf(probe_threshold(0.05, 3) / std::numbers::sqrt2), 3), 0.05, 1e-10);
}

// Returns how often the bound is below the largest eigenvalue outside P after any of the steps.
double failure_rate(const Vector& values, Index count, double failure, int trials, Index steps) {
  const Index n = values.size();
  const Matrix G = test::with_spectrum(values, 11);
  Matrix P(n, 2);  // any fixed subspace
  P.setZero();
  P(3, 0) = P(7, 1) = 1;
  const Matrix I = Matrix::Identity(n, n) - P * P.transpose();
  const double exact = test::eigenvalues_descending(I * G * I)[0];
  int failures = 0;
  for (int trial = 0; trial < trials; ++trial) {
    EigenvalueProbes probes(P, count, false, failure, static_cast<std::uint64_t>(trial), 1);
    bool failed = false;
    for (Index step = 0; step < steps && probes.vectors().cols() > 0; ++step) {
      const Matrix GV = G * probes.vectors();
      probes.advance(GV, P);
      failed |= probes.bound() < exact * (1 - 1e-12);
    }
    failures += failed ? 1 : 0;
  }
  return static_cast<double>(failures) / trials;
}

TEST(EigenvalueProbes, FailAsOftenAsTheySay) {
#ifdef DUALKPCA_FEWER_TRIALS
  GTEST_SKIP() << "statistics";
#endif
  Vector separated(30), flat(30);
  for (Index i = 0; i < 30; ++i) {
    separated[i] = i == 0 ? 10 : 1 / (1.0 + static_cast<double>(i));
    flat[i] = 1 + 0.01 * static_cast<double>(30 - i);
  }
  // Three standard deviations of 2000 trials at 0.05 are 0.015.
  for (const Index count : {1, 10}) {
    EXPECT_LE(failure_rate(separated, count, 0.05, 2000, 3), 0.065) << count;
    EXPECT_LE(failure_rate(flat, count, 0.05, 2000, 3), 0.065) << count;
  }
  EXPECT_GE(failure_rate(separated, 1, 0.05, 2000, 3),
            0.02);  // the bound is not too large: failures occur almost as often as allowed
  EXPECT_EQ(failure_rate(separated, 16, 1e-6, 500, 6), 0);
}

TEST(EigenvalueProbes, TheBoundGetsSharp) {
  Vector values(200);
  for (Index i = 0; i < 200; ++i) values[i] = 1 / (1 + 0.1 * static_cast<double>(i));
  const Matrix G = test::with_spectrum(values, 5), none(200, 0);
  EigenvalueProbes probes(none, 16, false, 1e-6, 3, 2);
  EXPECT_EQ(probes.bound(), std::numeric_limits<double>::infinity());
  double previous = std::numeric_limits<double>::infinity();
  for (int step = 0; step < 8; ++step) {
    const Matrix GV = G * probes.vectors();
    probes.advance(GV, none);
    EXPECT_LT(probes.bound(), previous);
    previous = probes.bound();
  }
  EXPECT_GE(previous, 1);
  EXPECT_LE(previous, 1.2);
  EXPECT_GE(probes.lowest(), 0);
}

TEST(EigenvalueProbes, EndWhereNothingIsOutside) {
  const Matrix all = Matrix::Identity(6, 6), none(6, 0);
  EXPECT_EQ(EigenvalueProbes(all, 4, false, 1e-6, 1, 1).bound(), 0);
  // For a multiple of the identity, every vector is invariant after one step.
  EigenvalueProbes probes(none, 4, false, 1e-6, 1, 1);
  const Matrix GV = 3 * probes.vectors();
  probes.advance(GV, none);
  EXPECT_EQ(probes.vectors().cols(), 0);
  EXPECT_NEAR(probes.bound(), 3, 1e-12);
}

TEST(EigenvalueProbes, OfACentredMatrixHaveNoConstantPart) {
  const Matrix none(50, 0);
  const EigenvalueProbes probes(none, 5, true, 1e-6, 1, 1);
  EXPECT_LE(probes.vectors().colwise().sum().cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace dualkpca::eigenvalue_probes_test
