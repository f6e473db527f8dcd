#include "dualkpca/model/preimage.hpp"

#include <gtest/gtest.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/data/lagged.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/rows/stored_rows.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::preimage_test {
namespace {

// Returns points near a curve in four dimensions, away from the origin.
Matrix curve(Index n, std::uint64_t seed, double noise = 0.05) {
  const Matrix t = 1.5 * random_normal(n, 1, seed).array().tanh();
  Matrix X = noise * random_normal(n, 4, seed + 100);
  X.col(0) += t;
  X.col(1).array() += t.col(0).array().square();
  X.col(2).array() += (2 * t.col(0).array()).sin();
  X.rowwise() += Eigen::RowVector4d(5, -3, 2, 10);
  return X;
}

KernelPCAParams exact(KernelName name, Index s, double gamma = 0.3) {
  return {.n_components = s,
          .kernel = {.name = name, .gamma = gamma},
          .solver = {.name = SolverName::dense},
          .precision = Precision::float64};
}

double mean_square(const Matrix& difference) {
  return difference.squaredNorm() / static_cast<double>(difference.size());
}

class LinearPreimage : public testing::TestWithParam<std::tuple<bool, Scaling>> {};

TEST_P(LinearPreimage, IsTheProjectionOnThePrincipalAxes) {
  const auto [center, scale] = GetParam();
  const Matrix X = curve(60, 1), fresh = curve(10, 2);
  KernelPCAParams params = exact(KernelName::linear, 2);
  params.center = center;
  params.scale = scale;
  KernelPCA pca = KernelPCA(params).fit(X);
  pca.fit_inverse();
  EXPECT_EQ(pca.inverse_report()->method, PreimageMethod::linear);
  EXPECT_FALSE(pca.inverse_report()->reason.empty());

  const Scaler scaler = Scaler::fit(scale, X);
  const auto scaled = [&](Matrix Z) {
    for (Index i = 0; i < Z.rows(); ++i) scaler.apply(Z.row(i).data());
    return Z;
  };
  const Matrix Xs = scaled(X), Fs = scaled(fresh);
  const Eigen::RowVectorXd mean = center ? Eigen::RowVectorXd(Xs.colwise().mean()) : Eigen::RowVectorXd::Zero(4);
  const Matrix centered = Xs.rowwise() - mean;
  const Matrix V = test::right_singular_vectors(centered).leftCols(2);
  Matrix expected = (Fs.rowwise() - mean) * V * V.transpose();
  expected.rowwise() += mean;
  for (Index i = 0; i < expected.rows(); ++i) scaler.revert(expected.row(i).data());
  EXPECT_LE((pca.inverse_transform(pca.transform(fresh)) - expected).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((pca.denoise(fresh) - expected).cwiseAbs().maxCoeff(), 1e-9);
}
INSTANTIATE_TEST_SUITE_P(All, LinearPreimage,
                         testing::Combine(testing::Bool(), testing::Values(Scaling::none, Scaling::standard)));

TEST(CompatiblePreimage, IsScikitLearnsFormula) {
  const Matrix X = curve(40, 3), fresh = curve(7, 4);
  KernelPCA pca = KernelPCA(exact(KernelName::rbf, 3)).fit(X);
  pca.fit_inverse({.alpha = 0.1, .compatibility = PreimageCompatibility::sklearn});
  const test::KernelCase kernel{KernelName::rbf, 0.3, 1, 0};
  const Matrix T = pca.scores();
  Matrix K = test::naive_kernel_matrix(kernel, T, T);
  K.diagonal().array() += 0.1;
  const Matrix coefficients = test::solve_positive(K, X);
  const Matrix expected = test::naive_kernel_matrix(kernel, pca.transform(fresh), T) * coefficients;
  EXPECT_LE((pca.inverse_transform(pca.transform(fresh)) - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(CompatiblePreimage, IsThePapersOfUnnormalisedScores) {
  const Matrix X = curve(40, 3), fresh = curve(7, 4);
  KernelPCAParams params = exact(KernelName::laplace, 2);
  params.center = false;
  params.solver = {};
  params.loss = {.name = LossName::huber, .kappa_ratio = 0.5};
  KernelPCA pca = KernelPCA(params).fit(X);
  pca.fit_inverse({.compatibility = PreimageCompatibility::paper});
  const test::KernelCase kernel{KernelName::laplace, 0.3, 1, 0};
  const Matrix G = test::naive_kernel_matrix(kernel, X, X), T = G * pca.dual_variables();
  Matrix K = test::naive_kernel_matrix(kernel, T, T);
  K.diagonal().array() += 1;
  const Matrix coefficients = test::solve_positive(K, X);
  const Matrix fresh_scores = test::naive_kernel_matrix(kernel, fresh, X) * pca.dual_variables();
  const Matrix expected = test::naive_kernel_matrix(kernel, fresh_scores, T) * coefficients;
  EXPECT_LE((pca.inverse_transform(pca.transform(fresh)) - expected).cwiseAbs().maxCoeff(), 1e-7);
}

class EveryMethod : public testing::TestWithParam<std::tuple<PreimageMethod, KernelName>> {};

// With all components, the scores of a row determine its features and therefore the row.
TEST_P(EveryMethod, FindsTrainingRowsAgain) {
  const auto [method, kernel] = GetParam();
  const Matrix X = curve(50, 5);
  KernelPCA pca = KernelPCA(exact(kernel, 49)).fit(X);
  pca.fit_inverse({.method = method});
  const Matrix back = pca.inverse_transform(pca.scores());
  // The regularisation of the ridge regression limits its accuracy.
  const double bound = method == PreimageMethod::ridge ? 0.3 : 1e-4;
  EXPECT_LE((back - X).cwiseAbs().maxCoeff(), bound);
}
INSTANTIATE_TEST_SUITE_P(All, EveryMethod,
                         testing::Values(std::tuple(PreimageMethod::ridge, KernelName::rbf),
                                         std::tuple(PreimageMethod::ridge, KernelName::poly),
                                         std::tuple(PreimageMethod::fixed_point, KernelName::rbf),
                                         std::tuple(PreimageMethod::fixed_point, KernelName::laplace),
                                         std::tuple(PreimageMethod::fixed_point, KernelName::matern32),
                                         std::tuple(PreimageMethod::fixed_point, KernelName::matern52),
                                         std::tuple(PreimageMethod::distance, KernelName::rbf),
                                         std::tuple(PreimageMethod::distance, KernelName::laplace)),
                         [](const auto& p) {
                           return std::string(to_string(std::get<0>(p.param))) + "_" +
                                  std::string(to_string(std::get<1>(p.param)));
                         });

// The expected values are |P phi_i - phi_j|^2 from the Gram matrix. The inner product of P phi_i and phi_j is that of
// their scores.
TEST(FeatureDistances, AreThoseOfProjectionsFromRows) {
  const Matrix X = curve(30, 20);
  const KernelPCA pca = KernelPCA(exact(KernelName::rbf, 3)).fit(X);
  const Matrix G = test::naive_centered(test::naive_kernel_matrix({KernelName::rbf, 0.3, 1, 0}, X, X)),
               Y = pca.scores();
  const Vector squares = Y.rowwise().squaredNorm();
  const Matrix found = feature_distances({.X = X, .scores = Y, .spe = G.diagonal() - squares}, Y);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j) EXPECT_NEAR(found(i, j), squares[i] + G(j, j) - 2 * Y.row(i).dot(Y.row(j)), 1e-12);
}

// f(z) = <phi(z), P phi(x)> is larger at the pre-image than anywhere near it.
TEST(FixedPoint, IsAMaximum) {
  const Matrix X = curve(80, 6), fresh = curve(5, 7, 0.3);
  KernelPCA pca = KernelPCA(exact(KernelName::rbf, 4)).fit(X);
  pca.fit_inverse({.method = PreimageMethod::fixed_point});
  const Matrix Z = pca.denoise(fresh), T = pca.transform(fresh);
  const test::KernelCase kernel{KernelName::rbf, 0.3, 1, 0};
  const Matrix K = test::naive_kernel_matrix(kernel, X, X);
  // <phi(z), centre + sum_j t_j w_j> = mean_i k(z, x_i) + sum_j t_j (y_j(z) + <w_j, centre>). The term <w_j, centre> is
  // needed because centring subtracts it from the scores.
  const Matrix centered = test::naive_centered(K);
  const Matrix A = test::solve_positive(centered, pca.scores());
  const auto f = [&](const Matrix& z, Index i) {
    const Matrix k = test::naive_kernel_matrix(kernel, z, X);
    const Matrix J = A.rowwise() - A.colwise().mean();
    return k.mean() + (k * J * T.row(i).transpose())(0, 0);
  };
  for (Index i = 0; i < fresh.rows(); ++i) {
    const double at = f(Z.row(i), i);
    for (Index trial = 0; trial < 20; ++trial) {
      const Matrix other = Z.row(i) + 0.01 * random_normal(1, 4, static_cast<std::uint64_t>(trial));
      EXPECT_GE(at, f(other, i) - 1e-9);
    }
    EXPECT_GE(at, f(fresh.row(i), i) - 1e-9);
  }
}

TEST(Preimage, TakesNoiseAway) {
  const Matrix X = curve(400, 8, 0.02), clean = curve(200, 9, 0.02);
  const Matrix noisy = clean + 0.2 * random_normal(200, 4, 10);
  KernelPCA pca = KernelPCA(exact(KernelName::rbf, 8)).fit(X);
  const double level = pca.noise_level(noisy);
  EXPECT_NEAR(level, 0.2, 0.04);
  EXPECT_LE(pca.noise_level(clean), 0.02);
  pca.fit_inverse({.noise = level});
  EXPECT_TRUE(pca.inverse_report()->is_noise_aware);
  const double aware = mean_square(pca.denoise(noisy) - clean);
  pca.fit_inverse();
  EXPECT_FALSE(pca.inverse_report()->is_noise_aware);
  EXPECT_LT(aware, 0.9 * mean_square(pca.denoise(noisy) - clean));
  EXPECT_LT(aware, 0.5 * mean_square(noisy - clean));
  // Negligible noise is not learnt.
  pca.fit_inverse({.noise = 1e-6});
  EXPECT_FALSE(pca.inverse_report()->is_noise_aware);
}

TEST(Preimage, WeighsOutliersDown) {
  Matrix X = curve(200, 11);
  X.topRows(16) += 50 * random_normal(16, 4, 12);
  const Matrix fresh = curve(100, 13);
  KernelPCAParams params = exact(KernelName::rbf, 4);
  params.solver = {};
  params.loss = {.name = LossName::huber, .kappa_ratio = 0.5};
  KernelPCA pca = KernelPCA(params).fit(X);
  const auto error = [&](PreimageWeights weights) {
    pca.fit_inverse({.weights = weights});
    return mean_square(pca.denoise(fresh) - fresh);
  };
  const double plain = error(PreimageWeights::none);
  EXPECT_LT(error(PreimageWeights::huber), 0.1 * plain);
  EXPECT_LT(error(PreimageWeights::huber_spe), 0.1 * plain);
  EXPECT_LT(error(PreimageWeights::automatic), 0.1 * plain);
  EXPECT_EQ(pca.inverse_report()->weights, PreimageWeights::density);
  EXPECT_GE(*pca.inverse_report()->weighted_rows, 14);
  EXPECT_LE(*pca.inverse_report()->weighted_rows, 30);
  EXPECT_LT(error(PreimageWeights::dual), 2 * plain);
}

TEST(Preimage, IsSavedWithTheModel) {
  const test::TempDir directory;
  const Matrix X = curve(60, 14), T = random_normal(5, 3, 15) * 0.1;
  for (const PreimageParams& wanted : {PreimageParams{}, PreimageParams{.method = PreimageMethod::fixed_point},
                                       PreimageParams{.compatibility = PreimageCompatibility::sklearn},
                                       PreimageParams{.compatibility = PreimageCompatibility::paper}}) {
    KernelPCA pca = KernelPCA(exact(KernelName::rbf, 3)).fit(X);
    pca.fit_inverse(wanted);
    const std::string path = directory.path("model");
    pca.save(path);
    const KernelPCA loaded = KernelPCA::load(path);
    EXPECT_EQ(loaded.inverse_transform(T), pca.inverse_transform(T));
    EXPECT_EQ(loaded.inverse_report()->method, pca.inverse_report()->method);
    EXPECT_EQ(loaded.inverse_report()->loo_error, pca.inverse_report()->loo_error);
  }
}

// Models that store few rows can compute pre-images, too.
TEST(Preimage, ExistsForModelsOfFewRows) {
  const Matrix X = curve(300, 16), fresh = curve(50, 17);
  KernelPCAParams landmark = exact(KernelName::rbf, 5);
  landmark.solver = {.name = SolverName::nystrom, .landmarks = 60};
  KernelPCAParams sparse = exact(KernelName::rbf, 5);
  sparse.solver = {};
  sparse.loss = {.name = LossName::epsilon_insensitive, .sparsity = 0.5};
  const test::TempDir directory;
  for (const KernelPCAParams& params : {landmark, sparse}) {
    const std::string path = directory.path("model");
    KernelPCA(params).fit(X).save(path);
    KernelPCA pca = KernelPCA::load(path);
    for (const PreimageMethod method : {PreimageMethod::ridge, PreimageMethod::fixed_point, PreimageMethod::distance}) {
      pca.fit_inverse({.method = method});
      EXPECT_LT(mean_square(pca.denoise(fresh) - fresh), 0.1) << to_string(method);
    }
  }
}

TEST(Preimage, OfLaggedRowsIsTheNewest) {
  const Matrix X = curve(60, 18);
  KernelPCAParams params = exact(KernelName::linear, 8);
  params.lags = 1;
  KernelPCA pca = KernelPCA(params).fit(X);
  pca.fit_inverse();
  const Matrix back = pca.denoise(X);  // exact, because the model has all components
  EXPECT_EQ(back.rows(), 59);
  EXPECT_LE((back - X.bottomRows(59)).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Preimage, RefusesWhatDoesNotGoTogether) {
  const Matrix X = curve(20, 19);
  KernelPCA pca = KernelPCA(exact(KernelName::poly, 2)).fit(X);
  EXPECT_THROW((void)pca.inverse_transform(Matrix(1, 2)), NotFitted);
  EXPECT_THROW(pca.fit_inverse({.method = PreimageMethod::fixed_point}), InvalidArgument);
  EXPECT_THROW(pca.fit_inverse({.method = PreimageMethod::distance}), InvalidArgument);
  EXPECT_THROW(pca.fit_inverse({.method = PreimageMethod::linear}), InvalidArgument);
  EXPECT_THROW(pca.fit_inverse({.weights = PreimageWeights::density}), InvalidArgument);
  EXPECT_THROW(pca.fit_inverse({.weights = PreimageWeights::dual}), InvalidArgument);
  EXPECT_THROW(pca.fit_inverse({.alpha = -1.0}), InvalidArgument);
  EXPECT_THROW(pca.fit_inverse({.centers = 0}), InvalidArgument);
  EXPECT_THROW(pca.fit_inverse({.gamma = 1.0, .compatibility = PreimageCompatibility::sklearn}), InvalidArgument);
  pca.fit_inverse();
  EXPECT_THROW((void)pca.inverse_transform(Matrix(Matrix::Zero(1, 3))), DataError);
  const Matrix K = X * X.transpose();
  EXPECT_THROW(KernelPCA(exact(KernelName::precomputed, 2)).fit(K).fit_inverse(), InvalidArgument);
}

}  // namespace
}  // namespace dualkpca::preimage_test
