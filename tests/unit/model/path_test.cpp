#include "dualkpca/model/path.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"

namespace dualkpca::path_test {
namespace {

KernelPCAParams params_of(LossName loss, Norm norm = Norm::rows) {
  return {.n_components = 3,
          .kernel = {.gamma = 0.2},
          .loss = {.name = loss, .norm = norm},
          .precision = Precision::float64};
}

std::vector<PathPoint> points_of(const KernelPCAParams& params, const PathParams& path, const Matrix& X) {
  std::vector<PathPoint> points;
  EXPECT_TRUE(fit_path(params, path, X, [&](const PathPoint& point) { points.push_back(point); }));
  return points;
}

TEST(Path, StartsWithTheSquareLossAndHasEveryValueForEveryNumberOfComponents) {
  const Matrix X = random_normal(150, 3, 1);
  const auto points =
      points_of(params_of(LossName::huber),
                {.over = PathParams::Over::kappa_ratio, .values = {0.2, 1, 0.5}, .n_components = {2, 4}}, X);
  ASSERT_EQ(points.size(), 8U);
  for (const std::size_t first : {0U, 4U}) {
    EXPECT_EQ(points[first].loss.name, LossName::square);
    EXPECT_EQ(points[first].error_ratio, 1);
    for (std::size_t i = 1; i < 4; ++i) {
      EXPECT_EQ(points[first + i].n_components, first == 0 ? 2 : 4);
      EXPECT_LE(points[first + i].eta, 1e-5);
      EXPECT_GE(points[first + i].error_ratio, 1 - 1e-6);  // no s directions have a smaller error
    }
    EXPECT_NEAR(points[first + 1].ratio, 1, 1e-12);
    EXPECT_NEAR(points[first + 3].ratio, 0.2, 1e-12);
  }
}

TEST(Path, PointsAreWhatAFitFinds) {
  const Matrix X = random_normal(150, 3, 1);
  KernelPCAParams params = params_of(LossName::huber);
  const auto points = points_of(params, {.over = PathParams::Over::kappa, .values = {0.3}}, X);
  params.loss.kappa = 0.3;
  const KernelPCA pca = KernelPCA(params).fit(X);
  const FitReport& report = pca.report();
  EXPECT_NEAR(points[1].dual_objective, report.dual_objective, 1e-7 * std::abs(report.dual_objective));
  const double trace = report.eigenvalues.sum() / report.explained_variance_ratio.sum();
  EXPECT_NEAR(points[1].reconstruction_error, trace - pca.scores().squaredNorm(), 1e-4);
  EXPECT_EQ(points[1].support_size, report.support_size);
}

TEST(Path, EpsilonUpwardsMakesMoreZerosAndInTheEndEverything) {
  const Matrix X = random_normal(150, 3, 1);
  for (const Norm norm : {Norm::rows, Norm::entries}) {
    const auto points = points_of(params_of(LossName::epsilon_insensitive, norm), {.values = {100, 0.1, 0.2, 0.3}}, X);
    ASSERT_EQ(points.size(), 5U);
    for (std::size_t i = 2; i < 5; ++i) EXPECT_GE(*points[i].sparsity, *points[i - 1].sparsity - 0.02);
    EXPECT_EQ(*points[4].sparsity, 1);
    EXPECT_EQ(points[4].support_size, 0);
    EXPECT_GT(points[4].error_ratio, 1);
  }
}

TEST(Path, ChoosesValuesWhereNoneAreGiven) {
  const Matrix X = random_normal(100, 3, 1);
  for (const LossName loss : {LossName::huber, LossName::epsilon_insensitive})
    for (const Norm norm : {Norm::rows, Norm::entries, Norm::frobenius})
      EXPECT_EQ(points_of(params_of(loss, norm), {.points = 4}, X).size(), 5U) << to_string(loss) << to_string(norm);
}

TEST(Path, TheObserverEndsItWithThePointsSoFar) {
  const Matrix X = random_normal(150, 3, 1);
  std::size_t count = 0;
  const bool whole = fit_path(
      params_of(LossName::huber), {.points = 8}, X, [&](const PathPoint&) { ++count; },
      [&](const Progress&) { return count < 3; });
  EXPECT_FALSE(whole);
  EXPECT_EQ(count, 4U);  // the point at which it stopped is counted, too
}

TEST(Path, RefusesWhatMakesNoSense) {
  const Matrix X = random_normal(50, 3, 1);
  const auto run = [&](const KernelPCAParams& params, const PathParams& path) {
    (void)fit_path(params, path, X, [](const PathPoint&) {});
  };
  EXPECT_THROW(run(params_of(LossName::square), {}), InvalidArgument);
  EXPECT_THROW(run(params_of(LossName::huber), {.over = PathParams::Over::epsilon, .values = {1}}), InvalidArgument);
  EXPECT_THROW(run(params_of(LossName::huber), {.over = PathParams::Over::kappa_ratio, .values = {2}}),
               InvalidArgument);
  EXPECT_THROW(run(params_of(LossName::epsilon_insensitive), {.values = {-1}}), InvalidArgument);
  EXPECT_THROW(run(params_of(LossName::huber), {.points = 0}), InvalidArgument);
  EXPECT_THROW(run(params_of(LossName::huber), {.n_components = {60}}), InvalidArgument);
}

}  // namespace
}  // namespace dualkpca::path_test
