#include "solver/stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dualkpca::stopping_test {
namespace {

TEST(RunLimits, SayNothingWithoutALimitOrAnObserver) {
  const SolverParams params;
  const Observer observe;
  SolveResult result;
  EXPECT_FALSE(RunLimits(params, observe).reached(3, 0.5, result));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.stop_reason, StopReason::none);
}

TEST(RunLimits, TheTimeLimitIsAStatusOfItsOwn) {
  const SolverParams params{.time_limit = 1e-12};
  const Observer observe;
  const RunLimits limits(params, observe);
  SolveResult result;
  while (!limits.reached(0, 1, result)) {
  }
  EXPECT_EQ(result.status, Status::time_limit);
  EXPECT_EQ(result.stop_reason, StopReason::none);
  EXPECT_TRUE(result.message.empty());
}

TEST(RunLimits, TheObserverSeesWhereTheSolverIsAndMayStopIt) {
  const SolverParams params{.tol = 1e-4};
  Progress seen;
  const Observer observe = [&](const Progress& progress) {
    seen = progress;
    return progress.iteration < 2;
  };
  const RunLimits limits(params, observe);
  SolveResult result;
  EXPECT_FALSE(limits.reached(1, 0.5, result));
  EXPECT_EQ(seen.eta, 0.5);
  EXPECT_EQ(seen.tol, 1e-4);
  EXPECT_TRUE(limits.reached(2, 0.25, result));
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_EQ(result.stop_reason, StopReason::requested);
  EXPECT_EQ(result.message, stopped_on_request);
}

TEST(StallCounter, CountsValuesThatAreNotClearlyBetter) {
  StallCounter stalled(0.5);
  EXPECT_EQ(stalled.next(1), 0);    // the first value is always better
  EXPECT_EQ(stalled.next(0.6), 1);  // better than 1, but not clearly
  EXPECT_EQ(stalled.next(0.4), 2);  // is compared with 0.6
  EXPECT_EQ(stalled.next(0.1), 0);
  EXPECT_EQ(stalled.next(std::nan("")), 1);
  EXPECT_EQ(stalled.next(0.04), 0);  // NaN did not become the best value
}

TEST(StallCounter, TheFirstValueIsComparedWithWhatIsGiven) {
  StallCounter stalled(0.9, 1);
  EXPECT_EQ(stalled.next(1), 1);
  EXPECT_EQ(stalled.next(0.8), 0);
}

TEST(ResidualFloor, IsReachedOnceThreeResidualsWithinRoundingWereNoBetter) {
  ResidualFloor floor;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(floor.reached(1, 1e-3));  // far above rounding
  EXPECT_FALSE(floor.reached(9e-4, 1e-3));
  EXPECT_FALSE(floor.reached(9e-4, 1e-3));
  EXPECT_FALSE(floor.reached(9e-4, 1e-3));
  EXPECT_TRUE(floor.reached(9e-4, 1e-3));
  EXPECT_FALSE(floor.reached(1e-4, 1e-3));  // the residual falls again
}

// Returns how many calls it takes until `ask` returns true; `most` if it never does.
template <class Ask>
int asked_until_true(int most, const Ask& ask) {
  for (int i = 1; i <= most; ++i)
    if (ask(i)) return i;
  return most;
}

TEST(CertificateStall, WaitsTwelveProductsForABetterEta) {
  CertificateStall stall;
  EXPECT_EQ(asked_until_true(100, [&](int) { return stall.reached(1); }), 12);
  EXPECT_FALSE(stall.reached(0.5));
  EXPECT_EQ(asked_until_true(100, [&](int) { return stall.reached(0.49); }), 12);
}

TEST(DualStall, NeedsAnEtaThatStandsStillAndADualThatDoesToo) {
  DualStall still;
  EXPECT_EQ(asked_until_true(100, [&](int) { return still.reached(1e-6, -5, 1e-12); }), 21);
  DualStall falling_eta;
  EXPECT_EQ(asked_until_true(100, [&](int i) { return falling_eta.reached(std::pow(0.8, i), -5, 1e-12); }), 100);
  DualStall falling_dual;
  EXPECT_EQ(asked_until_true(100, [&](int i) { return falling_dual.reached(1e-6, -5 - i, 1e-12); }), 100);
}

TEST(DualStall, SlowProgressOfEtaIsProgress) {
  DualStall slow;
  EXPECT_EQ(asked_until_true(200, [&](int i) { return slow.reached(std::pow(0.99, i), -5, 1e-12); }), 200);
}

TEST(MeritStall, EitherEtaOrTheMeritMayMove) {
  constexpr double noise = 1e-9;
  constexpr Index patience = 30;
  MeritStall still;
  EXPECT_EQ(asked_until_true(100, [&](int) { return still.reached(1e-6, -5, noise, patience); }), 31);
  MeritStall falling_eta;
  const auto by_eta = [&](int i) { return falling_eta.reached(std::pow(0.8, i), -5, noise, patience); };
  EXPECT_EQ(asked_until_true(100, by_eta), 100);
  MeritStall falling_merit;
  const auto by_merit = [&](int i) { return falling_merit.reached(1e-6, -5 - 1e-7 * i, noise, patience); };
  EXPECT_EQ(asked_until_true(100, by_merit), 100);
  MeritStall noisy;
  EXPECT_EQ(asked_until_true(100, [&](int i) { return noisy.reached(1e-6, -5 - 1e-11 * i, noise, patience); }), 31);
}

TEST(StopByRounding, NamesThePrecisionAndWhatWouldHelp) {
  SolveResult result;
  stop_by_rounding(result, 2e-7, Precision::float32);
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_EQ(result.stop_reason, StopReason::rounding);
  EXPECT_EQ(result.message, "rounding in float32 allows no eta below 2.0e-07; use precision float64");
  EXPECT_EQ(rounding_message(1e-15, Precision::float64), "rounding in float64 allows no eta below 1.0e-15");
}

}  // namespace
}  // namespace dualkpca::stopping_test
