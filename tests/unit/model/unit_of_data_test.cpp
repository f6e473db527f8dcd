#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "support/csr.hpp"
#include "support/naive.hpp"

// The unit of the data does not matter to kernels whose gamma follows the data, and to cosine.
namespace dualkpca::unit_of_data_test {
namespace {

constexpr double factors[] = {1e-100, 1e-30, 1e-20, 1e-10, 1e10, 1e20, 1e100};

struct Case {
  KernelName kernel;
  GammaRule rule;
  Precision precision;
  bool sparse, center;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const KernelName kernel : {KernelName::rbf, KernelName::laplace, KernelName::laplacian, KernelName::matern32,
                                  KernelName::matern52, KernelName::poly, KernelName::sigmoid, KernelName::cosine})
    for (const GammaRule rule : {GammaRule::scale, GammaRule::median}) {
      if (rule == GammaRule::median && (uses_coef0(kernel) || !uses_gamma(kernel))) continue;
      for (const Precision precision : {Precision::float32, Precision::float64})
        for (const bool sparse : {false, true})
          for (const bool center : {false, true}) all.push_back({kernel, rule, precision, sparse, center});
    }
  return all;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  return std::string(to_string(c.kernel)) + (c.rule == GammaRule::scale ? "_scale_" : "_median_") +
         std::string(to_string(c.precision)) + (c.sparse ? "_sparse" : "_dense") + (c.center ? "_centred" : "");
}

// Returns rows with a different spread in every column, so that no two eigenvalues are alike, and with zeros.
Matrix data(Index n, std::uint64_t seed) {
  Matrix X = random_normal(n, 5, seed) * Vector{{2.0, 1.4, 1.0, 0.6, 0.3}}.asDiagonal();
  const Matrix kept = random_normal(n, 5, seed + 100);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < 5; ++j)
      if (kept(i, j) > 1) X(i, j) = 0;
  return X;
}

// Data in one form, times a factor.
class Rows {
 public:
  Rows(const Matrix& X, double factor, bool sparse) : X_(factor * X), csr_(test::csr_of(X_)), sparse_(sparse) {}
  [[nodiscard]] SamplesView view() const { return sparse_ ? SamplesView(csr_.view()) : SamplesView(X_); }

 private:
  Matrix X_;
  CsrMatrix csr_;
  bool sparse_;
};

KernelPCAParams params_of(const Case& c) {
  return {.n_components = 3,
          .kernel = {.name = c.kernel, .gamma = c.rule, .degree = 2, .coef0 = 0.5},
          .center = c.center,
          .solver = {.name = SolverName::dense},
          .precision = c.precision,
          .threads = 1};
}

void expect_near(const Matrix& found, const Matrix& expected, double bound) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), bound * expected.cwiseAbs().maxCoeff());
}

class UnitOfData : public testing::TestWithParam<Case> {
 protected:
  const Matrix X_ = data(60, 1), Z_ = data(20, 2);
  const double bound_ = GetParam().precision == Precision::float32 ? 2e-5 : 1e-9;
  [[nodiscard]] Rows rows(const Matrix& of, double factor) const { return {of, factor, GetParam().sparse}; }
  [[nodiscard]] KernelPCA fitted(double factor) const {
    return KernelPCA(params_of(GetParam())).fit(rows(X_, factor).view());
  }
};

TEST_P(UnitOfData, ChangesNoResult) {
  const KernelPCA plain = fitted(1);
  ASSERT_GT(plain.eigenvalues()[2], 0.01 * plain.eigenvalues()[0]);
  for (const double factor : factors) {
    SCOPED_TRACE(factor);
    const KernelPCA model = fitted(factor);
    expect_near(model.eigenvalues(), plain.eigenvalues(), bound_);
    expect_near(model.scores(), plain.scores(), bound_);
    const Rows fresh = rows(Z_, factor), plain_fresh = rows(Z_, 1);
    expect_near(model.transform(fresh.view(), 1), plain.transform(plain_fresh.view(), 1), bound_);
    const RowStatistics found = model.monitor(fresh.view(), 1), expected = plain.monitor(plain_fresh.view(), 1);
    expect_near(found.t2, expected.t2, bound_);
    expect_near(found.spe, expected.spe, bound_);
    expect_near(model.training_rows().view().to_matrix(), factor * X_,
                GetParam().precision == Precision::float32 ? 1e-7 : 1e-15);
  }
}

TEST_P(UnitOfData, IsKeptByAFile) {
  for (const double factor : {1e-20, 1e100}) {
    const KernelPCA model = fitted(factor), loaded = KernelPCA::from_bytes(model.to_bytes());
    const Rows fresh = rows(Z_, factor), training = rows(X_, factor);
    EXPECT_EQ(loaded.transform(fresh.view(), 1), model.transform(fresh.view(), 1));
    EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
    EXPECT_EQ(loaded.report().gamma, model.report().gamma);
    EXPECT_EQ(loaded.training_rows().view().to_matrix(), model.training_rows().view().to_matrix());
    const CheckReport check = loaded.check(training.view(), {.tol = 1e-4, .threads = 1});
    EXPECT_LE(check.eta, 1e-4);
    EXPECT_EQ(check.status, Status::converged);
  }
}

// gamma is reported in the unit of the data.
TEST_P(UnitOfData, ChangesGamma) {
  if (!uses_gamma(GetParam().kernel)) return;
  const bool squared = GetParam().kernel == KernelName::rbf || uses_coef0(GetParam().kernel);
  for (const double factor : factors) {
    const double expected = *fitted(1).report().gamma / (squared ? factor * factor : factor);
    EXPECT_NEAR(*fitted(factor).report().gamma / expected, 1, 1e-9) << factor;
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnitOfData, testing::ValuesIn(cases()), case_name);

Case dense(KernelName kernel) { return {kernel, GammaRule::scale, Precision::float32, false, true}; }

KernelPCA fitted_to(const Matrix& X, KernelPCAParams params) { return KernelPCA(params).fit(X); }

TEST(UnitOfDataAfterwards, ChangesNoContribution) {
  const Matrix X = data(60, 1), Z = data(6, 2);
  for (const KernelName kernel : {KernelName::rbf, KernelName::laplace, KernelName::matern32, KernelName::matern52,
                                  KernelName::poly, KernelName::sigmoid}) {
    const Contributions expected = fitted_to(X, params_of(dense(kernel))).contributions(Z, 1);
    for (const double factor : factors) {
      SCOPED_TRACE(testing::Message() << to_string(kernel) << " " << factor);
      const Contributions found = fitted_to(factor * X, params_of(dense(kernel))).contributions(Matrix(factor * Z), 1);
      expect_near(found.t2, expected.t2, 1e-4);
      expect_near(found.spe, expected.spe, 1e-4);
    }
  }
}

class Preimages : public testing::TestWithParam<std::tuple<KernelName, PreimageMethod, PreimageWeights, Precision>> {};

TEST_P(Preimages, AreInTheUnitOfTheData) {
  const auto [kernel, method, weights, precision] = GetParam();
  const Matrix X = data(60, 1), Z = data(10, 2);
  KernelPCAParams params = params_of(dense(kernel));
  params.precision = precision;
  const PreimageParams wanted{.method = method, .weights = weights};
  const KernelPCA plain = fitted_to(X, params).fit_inverse(wanted, 1);
  // A fixed point is found to 1e-6 of the size of the rows, and the noise level to 2^-20 of it.
  const bool narrow = precision == Precision::float32;
  const double bound = narrow ? 1e-3 : method == PreimageMethod::fixed_point ? 1e-4 : 1e-7;
  for (const double factor : factors) {
    SCOPED_TRACE(factor);
    const KernelPCA model = fitted_to(factor * X, params).fit_inverse(wanted, 1);
    const Matrix fresh = factor * Z;
    expect_near(model.denoise(fresh, 1) / factor, plain.denoise(Z, 1), bound);
    expect_near(model.inverse_transform(model.transform(fresh, 1), 1) / factor,
                plain.inverse_transform(plain.transform(Z, 1), 1), bound);
    EXPECT_NEAR(model.noise_level(fresh) / factor, plain.noise_level(Z), 1e-5);
    const KernelPCA loaded = KernelPCA::from_bytes(model.to_bytes());
    EXPECT_EQ(loaded.denoise(fresh, 1), model.denoise(fresh, 1));
    if (method != PreimageMethod::ridge) continue;
    expect_near(model.inverse_coefficients() / factor, plain.inverse_coefficients(), narrow ? 1e-2 : 1e-6);
    EXPECT_NEAR(*model.inverse_report()->loo_error / factor / *plain.inverse_report()->loo_error, 1, bound);
  }
}

constexpr auto ridge = PreimageMethod::ridge;
constexpr auto distance = PreimageMethod::distance;
constexpr auto fixed_point = PreimageMethod::fixed_point;
constexpr auto plain_weights = PreimageWeights::automatic;
INSTANTIATE_TEST_SUITE_P(
    Float32, Preimages,
    testing::Values(std::tuple{KernelName::rbf, ridge, plain_weights, Precision::float32},
                    std::tuple{KernelName::cosine, ridge, plain_weights, Precision::float32},
                    std::tuple{KernelName::poly, ridge, PreimageWeights::huber, Precision::float32},
                    std::tuple{KernelName::rbf, ridge, PreimageWeights::density, Precision::float32},
                    std::tuple{KernelName::rbf, distance, plain_weights, Precision::float32},
                    std::tuple{KernelName::laplace, distance, plain_weights, Precision::float32},
                    std::tuple{KernelName::rbf, fixed_point, plain_weights, Precision::float32},
                    std::tuple{KernelName::matern52, fixed_point, plain_weights, Precision::float32}));
INSTANTIATE_TEST_SUITE_P(Float64, Preimages,
                         testing::Values(std::tuple{KernelName::rbf, ridge, plain_weights, Precision::float64},
                                         std::tuple{KernelName::cosine, ridge, plain_weights, Precision::float64},
                                         std::tuple{KernelName::rbf, distance, plain_weights, Precision::float64},
                                         std::tuple{KernelName::laplace, fixed_point, plain_weights,
                                                    Precision::float64}));

// noise is in units of the scaled columns.
TEST(UnitOfDataAfterwards, MultipliesNoise) {
  const Matrix X = data(60, 1), Z = data(10, 2);
  const KernelPCAParams params = params_of(dense(KernelName::rbf));
  const KernelPCA plain = fitted_to(X, params).fit_inverse({.noise = 0.5}, 1);
  for (const double factor : factors) {
    const KernelPCA model = fitted_to(factor * X, params).fit_inverse({.noise = 0.5 * factor}, 1);
    EXPECT_EQ(model.inverse_report()->is_noise_aware, plain.inverse_report()->is_noise_aware);
    expect_near(model.denoise(Matrix(factor * Z), 1) / factor, plain.denoise(Z, 1), 1e-3);
  }
}

// scikit-learn's pre-images come from a kernel between scores, with the gamma of the fit. They depend on the unit of
// the data, because gamma does and the scores do not.
TEST(UnitOfDataAfterwards, IsNoneOfScores) {
  const Matrix X = data(60, 1);
  for (const double factor : {1e-20, 1e-7, 1e7, 1e20}) {
    KernelPCA model = fitted_to(factor * X, params_of(dense(KernelName::rbf)));
    model.fit_inverse({.alpha = 0.5, .compatibility = PreimageCompatibility::sklearn}, 1);
    EXPECT_EQ(model.inverse_report()->gamma, model.report().gamma);
    const Matrix& T = model.scores();
    Matrix K = test::naive_kernel_matrix({KernelName::rbf, *model.report().gamma, 1, 0}, T, T);
    const Matrix values = K;
    K.diagonal().array() += 0.5;
    const Matrix coefficients = K.ldlt().solve(Matrix(factor * X));
    expect_near(model.inverse_coefficients(), coefficients, 1e-6);
    expect_near(model.inverse_transform(T, 1), values * coefficients, 1e-6);
    const KernelPCA loaded = KernelPCA::from_bytes(model.to_bytes());
    EXPECT_EQ(loaded.inverse_transform(T, 1), model.inverse_transform(T, 1));
  }
}

TEST(UnitOfDataAfterwards, ChangesNoLimit) {
  const Matrix X = data(60, 1);
  for (const KernelName kernel : {KernelName::rbf, KernelName::laplacian, KernelName::cosine}) {
    KernelPCAParams params = params_of(dense(kernel));
    params.monitor.limits = LimitKind::cross_validated;
    params.monitor.level = 0.9;
    const std::optional<Limits> expected = fitted_to(X, params).limits();
    ASSERT_TRUE(expected);
    for (const double factor : factors) {
      const std::optional<Limits> found = fitted_to(factor * X, params).limits();
      ASSERT_TRUE(found) << factor;
      EXPECT_EQ(found->kind, LimitKind::cross_validated);
      EXPECT_NEAR(found->t2 / expected->t2, 1, 1e-4);
      EXPECT_NEAR(found->spe / expected->spe, 1, 1e-4);
    }
  }
}

// Other ways to hold rows: landmarks, the support of a sparse solution, and lags with scaled columns.
TEST(UnitOfDataAfterwards, ChangesNoOtherModel) {
  const Matrix X = data(60, 1), Z = data(20, 2);
  std::vector<KernelPCAParams> all(3, params_of(dense(KernelName::rbf)));
  all[0].solver = {.name = SolverName::nystrom, .landmarks = 20};
  all[1].loss = {.name = LossName::epsilon_insensitive, .epsilon = 0.1};
  all[1].solver = {};
  all[2].lags = 2;
  all[2].scale = Scaling::robust;
  for (const KernelPCAParams& params : all) {
    const Matrix expected = fitted_to(X, params).transform(Z, 1);
    for (const double factor : factors) {
      const KernelPCA model = fitted_to(factor * X, params);
      expect_near(model.transform(Matrix(factor * Z), 1), expected, 1e-4);
      EXPECT_EQ(KernelPCA::from_bytes(model.to_bytes()).transform(Matrix(factor * Z), 1),
                model.transform(Matrix(factor * Z), 1));
    }
  }
}

// Ordinary data have no unit, and their files are those of the first format.
TEST(UnitOfDataAfterwards, IsAbsentFromOrdinaryFiles) {
  const Matrix X = data(60, 1);
  const auto has = [](const KernelPCA& model, const char* text) {
    return model.to_bytes().find(text) != std::string::npos;
  };
  for (const double factor : {1e-5, 1.0, 1e5}) {
    const KernelPCA model = fitted_to(factor * X, params_of(dense(KernelName::rbf)));
    EXPECT_TRUE(has(model, R"("format_version":"1")"));
    EXPECT_FALSE(has(model, R"("unit")"));
  }
  const KernelPCA model = fitted_to(1e-20 * X, params_of(dense(KernelName::rbf)));
  EXPECT_TRUE(has(model, R"("format_version":"2")"));
  EXPECT_TRUE(has(model, R"("unit")"));
}

// A gamma given as a number may not suit the data. Values of the kernel are then 0 or 1, and never NaN.
TEST(UnitOfDataAfterwards, SuitsAnyGamma) {
  const Matrix X = data(60, 1);
  for (const KernelName kernel : {KernelName::rbf, KernelName::laplace, KernelName::laplacian, KernelName::matern32})
    for (const Precision precision : {Precision::float32, Precision::float64})
      for (const double factor : {1e-200, 1e-100, 1e-30, 1e10, 1e20, 1e28, 1e200}) {
        if (precision == Precision::float32 && factor > 1e30) continue;  // they are refused
        KernelPCAParams params = params_of(dense(kernel));
        params.kernel.gamma = 0.25;
        params.precision = precision;
        const KernelPCA model = fitted_to(factor * X, params);
        EXPECT_TRUE(model.scores().allFinite()) << factor;
        EXPECT_EQ(model.report().gamma, 0.25);
        if (factor > 1)
          EXPECT_NEAR(model.eigenvalues()[0], 1, 1e-6) << factor;
        else
          EXPECT_LE(model.eigenvalues()[0], 1e-6) << factor;
      }
}

// Rows that are far from all others do not decide where the others lie, nor in which unit.
TEST(FarRow, LeavesTheOthersAlone) {
  for (const double outlier : {1e9, 1e10}) {
    Matrix X = random_normal(60, 4, 3);
    X(17, 2) = outlier;
    KernelPCAParams params = params_of(dense(KernelName::rbf));
    params.kernel.gamma = 0.25;
    params.n_components = 4;
    const Matrix K = test::naive_kernel_matrix({KernelName::rbf, 0.25, 1, 0}, X, X);
    const Vector expected = test::eigenvalues_descending(test::naive_centered(K)).head(4);
    const Vector found = fitted_to(X, params).eigenvalues();
    for (Index k = 0; k < 4; ++k) EXPECT_NEAR(found[k] / expected[k], 1, 1e-3) << outlier << " " << k;
  }
}

// The lengths of rows do not matter to cosine, as long as typical rows are not much shorter than the longest.
TEST(Cosine, TakesRowsOfAllLengths) {
  const Matrix X = data(40, 1);
  KernelPCAParams params = params_of(dense(KernelName::cosine));
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    params.precision = precision;
    Matrix uneven = X;
    for (Index i = 0; i < X.rows(); i += 2) uneven.row(i) *= 1e-100;
    for (Index i = 0; i < X.rows(); i += 8) uneven.row(i) *= 1e-90;
    const KernelPCA plain = fitted_to(X, params);
    for (const bool sparse : {false, true}) {
      const CsrMatrix csr = test::csr_of(uneven);
      const KernelPCA model = KernelPCA(params).fit(sparse ? SamplesView(csr.view()) : SamplesView(uneven));
      expect_near(model.eigenvalues(), plain.eigenvalues(), 1e-5);
      expect_near(model.monitor(uneven, 1).spe, plain.monitor(X, 1).spe, 1e-5);
      const KernelPCA loaded = KernelPCA::from_bytes(model.to_bytes());
      EXPECT_EQ(loaded.transform(uneven, 1), model.transform(uneven, 1));
      EXPECT_EQ(loaded.check(sparse ? SamplesView(csr.view()) : SamplesView(uneven), {.tol = 1e-4}).status,
                Status::converged);
    }
  }
}

}  // namespace
}  // namespace dualkpca::unit_of_data_test
