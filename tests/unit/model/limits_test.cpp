#include "model/monitor/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/quantiles.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "support/naive.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::limits_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

KernelPCAParams params_of(LimitKind kind, Index s = 3, double level = 0.99) {
  return {.n_components = s,
          .kernel = {.gamma = 0.1},
          .precision = Precision::float64,
          .monitor = {.limits = kind, .level = level}};
}

TEST(UpperQuantile, IsAnOrderStatistic) {
  Vector values(199);
  for (Index i = 0; i < values.size(); ++i) values[i] = static_cast<double>((i * 37) % 199 + 1);
  EXPECT_EQ(upper_quantile(values, 0.99), 198);
  EXPECT_EQ(upper_quantile(values, 0.5), 100);
  EXPECT_EQ(upper_quantile(values, 0.999), 199);
  EXPECT_EQ(upper_quantile(values, 1e-9), 1);
}

struct Exceeded {
  double t2 = 0, spe = 0;
};
Exceeded exceeded_by_clean_rows(LimitKind kind, std::uint64_t seed) {
  const KernelPCA pca = KernelPCA(params_of(kind, 40)).fit(random_normal(500, 5, seed));
  const RowStatistics fresh = pca.monitor(random_normal(20000, 5, seed + 1000));
  return {(fresh.t2.array() > pca.limits()->t2).cast<double>().mean(),
          (fresh.spe.array() > pca.limits()->spe).cast<double>().mean()};
}

// The limit is number 496 of 500 values: if those were independent, new rows would be above it with a probability that
// is distributed as Beta(5, 496), mean 0.00998, standard deviation 0.0044. Counting 20000 rows adds 0.0007 to that, and
// of four fits the mean has half: 0.0022. Three times that is allowed.
TEST(CrossValidatedLimits, HoldTheirLevelWhereThoseOfTrainingRowsDoNot) {
  constexpr double bound = 0.00998 + 3 * 0.0022;
  Exceeded validated, training;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Exceeded a = exceeded_by_clean_rows(LimitKind::cross_validated, seed);
    const Exceeded b = exceeded_by_clean_rows(LimitKind::training, seed);
    validated.t2 += a.t2 / 4, validated.spe += a.spe / 4;
    training.t2 += b.t2 / 4, training.spe += b.spe / 4;
  }
  EXPECT_LE(validated.t2, bound);
  EXPECT_LE(validated.spe, bound);
  EXPECT_GE(validated.t2, 0.002);
  EXPECT_GE(validated.spe, 0.002);
  EXPECT_GT(training.spe, bound);  // components that are fitted to 500 rows describe these rows better than others
}

TEST(CrossValidatedLimits, AreSavedAndRepeat) {
  const Matrix X = random_normal(150, 4, 1);
  const KernelPCA pca = KernelPCA(params_of(LimitKind::cross_validated)).fit(X);
  ASSERT_TRUE(pca.limits());
  EXPECT_EQ(pca.limits()->rows, 150);
  EXPECT_EQ(pca.report().seconds.back().first, "limits");
  const test::TempDir directory;
  pca.save(directory.path("m"));
  const KernelPCA loaded = KernelPCA::load(directory.path("m"));
  const KernelPCA again = KernelPCA(params_of(LimitKind::cross_validated)).fit(X);
  for (const KernelPCA* other : {&loaded, &again}) {
    ASSERT_TRUE(other->limits());
    EXPECT_EQ(other->limits()->kind, LimitKind::cross_validated);
    EXPECT_EQ(other->limits()->t2, pca.limits()->t2);
    EXPECT_EQ(other->limits()->spe, pca.limits()->spe);
    EXPECT_EQ(other->limits()->level, 0.99);
    EXPECT_EQ(other->limits()->rows, 150);
  }
  EXPECT_EQ(loaded.params().monitor.limits, LimitKind::cross_validated);
}

TEST(CrossValidatedLimits, OfEveryLossAndOfSeries) {
  const Matrix X = random_normal(150, 4, 1);
  for (const LossName loss : {LossName::huber, LossName::epsilon_insensitive})
    for (const Index lags : {0, 2}) {
      KernelPCAParams params = params_of(LimitKind::cross_validated, 2, 0.9);
      params.loss.name = loss;
      params.lags = lags;
      params.scale = Scaling::standard;
      const KernelPCA pca = KernelPCA(params).fit(X);
      ASSERT_TRUE(pca.limits()) << testing::PrintToString(pca.report().notes);
      EXPECT_EQ(pca.limits()->rows, 150 - lags);
      const RowStatistics training = pca.monitor(X);
      EXPECT_GT(pca.limits()->spe, training.spe.mean());
      EXPECT_LT(pca.limits()->spe, 2 * training.spe.maxCoeff());
      EXPECT_GT(pca.limits()->t2, 1);
    }
}

TEST(CrossValidatedLimits, OfTooFewRowsAreTheLargestAndSaySo) {
  const KernelPCA pca = KernelPCA(params_of(LimitKind::cross_validated)).fit(random_normal(50, 4, 1));
  ASSERT_TRUE(pca.limits());
  EXPECT_THAT(pca.report().notes, Contains(HasSubstr("too few for limits at level 0.99, which needs 99")));
  const KernelPCA none = KernelPCA(params_of(LimitKind::cross_validated, 9)).fit(random_normal(10, 4, 1));
  EXPECT_FALSE(none.limits());
  EXPECT_THAT(none.report().notes, Contains(HasSubstr("there are no limits: 10 rows are too few")));
  const KernelPCA fallen_back = KernelPCA(params_of(LimitKind::automatic, 9)).fit(random_normal(10, 4, 1));
  ASSERT_TRUE(fallen_back.limits());
  EXPECT_EQ(fallen_back.limits()->kind, LimitKind::training);
}

TEST(CrossValidatedLimits, AreLeftOutWhenStopped) {
  KernelPCAParams params = params_of(LimitKind::cross_validated);
  params.solver.name = SolverName::lbfgs;
  params.threads = 1;  // other threads do not report progress, and a fold has few tiles
  bool solved = false, stopped = false;
  const KernelPCA pca = KernelPCA(params).fit(random_normal(300, 4, 1), [&](const Progress& progress) {
    solved = solved || progress.stage == Progress::Stage::solve;
    stopped = stopped || (solved && progress.stage == Progress::Stage::gram);  // the Gram matrix of the first fold
    return !stopped;
  });
  EXPECT_TRUE(stopped);
  EXPECT_EQ(pca.report().status, Status::stopped);  // the components are complete, but the limits are missing
  EXPECT_THAT(pca.report().message, HasSubstr("stopped on request"));
  EXPECT_LE(pca.report().eta, pca.report().tol);
  EXPECT_FALSE(pca.limits());
  EXPECT_THAT(pca.report().notes, Contains("there are no limits: the cross-validation was stopped"));
}

TEST(AutomaticLimits, AreOfTrainingRowsWhereThereAreMany) {
  KernelPCAParams params = params_of(LimitKind::automatic, 2);
  params.solver.name = SolverName::nystrom;
  const KernelPCA many = KernelPCA(params).fit(random_normal(5001, 2, 1));
  ASSERT_TRUE(many.limits());
  EXPECT_EQ(many.limits()->kind, LimitKind::training);
  EXPECT_EQ(many.limits()->rows, 5001);
  EXPECT_THAT(many.report().notes, Contains(HasSubstr("more than 5000")));
  const KernelPCA few = KernelPCA(params_of(LimitKind::automatic, 2)).fit(random_normal(200, 2, 1));
  EXPECT_EQ(few.limits()->kind, LimitKind::cross_validated);
  EXPECT_EQ(few.report().notes.size(), 0U);
}

TEST(Chi2Limits, AreTheFormulas) {
  const Index n = 200, s = 3;
  const Matrix X = random_normal(n, 4, 1);
  const KernelPCA pca = KernelPCA(params_of(LimitKind::chi2, s)).fit(X);
  const double expected = static_cast<double>(s * (n * n - 1)) / static_cast<double>(n * (n - s)) *
                          f_quantile(0.99, static_cast<double>(s), static_cast<double>(n - s));
  EXPECT_NEAR(pca.limits()->t2, expected, 1e-9 * expected);
  const Vector spe = pca.monitor(X).spe;
  const double mean = spe.mean(), variance = (spe.array() - mean).square().sum() / (n - 1);
  const double scaled = variance / (2 * mean) * chi2_quantile(0.99, 2 * mean * mean / variance);
  EXPECT_NEAR(pca.limits()->spe, scaled, 1e-9 * scaled);
}

TEST(WeightedChi2Limits, AreOfTheSpectrumOfTheResiduals) {
  const Index n = 200;
  const Matrix X = random_normal(n, 4, 1);
  const KernelPCA pca = KernelPCA(params_of(LimitKind::weighted_chi2, 3)).fit(X);
  EXPECT_NEAR(pca.limits()->t2, 11.3449, 1e-4);
  const Matrix G = test::naive_centered(test::naive_kernel_matrix({KernelName::rbf, 0.1, 1, 0}, X, X));
  Vector spectrum = test::eigenvalues_descending(G).tail(n - 3) / n;  // eigenvalues of G without the components
  EXPECT_NEAR(pca.limits()->spe, weighted_chi2_quantile(0.99, spectrum.cwiseMax(0)), 1e-4 * pca.limits()->spe);
}

TEST(WeightedChi2Limits, OfASampleAndOfSparseModels) {
  KernelPCAParams params = params_of(LimitKind::weighted_chi2, 3);
  const Matrix X = random_normal(1500, 4, 1);
  const KernelPCA dense = KernelPCA(params).fit(X);
  EXPECT_EQ(dense.limits()->rows, 500);
  params.loss = {.name = LossName::epsilon_insensitive, .sparsity = 0.5};
  const KernelPCA sparse = KernelPCA(params).fit(X);
  EXPECT_NEAR(sparse.limits()->spe, dense.limits()->spe, 0.2 * dense.limits()->spe);
}

TEST(Limits, AreRefusedWhereThereIsNoSPE) {
  const Matrix X = random_normal(50, 3, 1);
  const Matrix K = test::naive_kernel_matrix({KernelName::rbf, 0.1, 1, 0}, X, X);
  KernelPCAParams params = params_of(LimitKind::chi2);
  params.kernel = {.name = KernelName::precomputed};
  EXPECT_THAT(test::message_of<InvalidArgument>([&] { KernelPCA(params).fit(K); }), HasSubstr("limits is chi2"));
  params.monitor.limits = LimitKind::automatic;
  EXPECT_FALSE(KernelPCA(params).fit(K).limits());
  for (const double level : {0.0, 1.0, -1.0, std::nan("")})
    EXPECT_THROW(KernelPCA(params_of(LimitKind::chi2, 2, level)).fit(X), InvalidArgument);
  KernelPCAParams folds = params_of(LimitKind::cross_validated);
  folds.monitor.folds = 1;
  EXPECT_THROW(KernelPCA(folds).fit(X), InvalidArgument);
  EXPECT_THROW((void)parse_limit_kind("cross"), InvalidArgument);
}

}  // namespace
}  // namespace dualkpca::limits_test
