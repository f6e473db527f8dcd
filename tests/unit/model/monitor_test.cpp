#include <gtest/gtest.h>

#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/file/safetensors.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::monitor_test {
namespace {

constexpr Index n = 120, m = 30, d = 4, s = 3;

Matrix training_rows() { return random_normal(n, d, 1); }
Matrix new_rows() { return 1.5 * random_normal(m, d, 2); }

struct Case {
  const char* name;
  test::KernelCase kernel;
  LossParams loss{};
  bool center = true;
  Precision precision = Precision::float64;
  double bound = 1e-8;
};

KernelPCAParams params_of(const Case& c) {
  return {
      .n_components = s,
      .kernel = {.name = c.kernel.name, .gamma = c.kernel.gamma, .degree = c.kernel.degree, .coef0 = c.kernel.coef0},
      .loss = c.loss,
      .center = c.center,
      .solver = {.tol = c.precision == Precision::float64 ? 1e-12 : 1e-5},
      .precision = c.precision};
}

// Returns the weights of the centre on the training rows from the model file.
Vector centre_of(const KernelPCA& pca, bool center) {
  const test::TempDir directory;
  pca.save(directory.path("m"));
  const SafetensorsFile file = read_safetensors(directory.path("m"));
  if (!center) return Vector::Zero(n);
  if (!file.tensors.contains("kept_rows")) return Vector::Constant(n, 1.0 / n);
  if (!file.tensors.contains("center_weights")) return Vector::Zero(n);  // a linear kernel centres the rows instead
  const Tensor &kept = file.tensors.at("kept_rows"), &weights = file.tensors.at("center_weights");
  Vector c = Vector::Zero(n);
  for (std::size_t i = 0; i < kept.shape[0]; ++i)
    c[static_cast<const Index*>(kept.data)[i]] = static_cast<const double*>(weights.data)[i];
  return c;
}

// Computes T2 and SPE by their definitions, from the centred Gram matrix of all rows and an orthonormal basis of
// span(H).
RowStatistics naive_statistics(const test::KernelCase& kernel, const Matrix& X, const Matrix& fresh, const Matrix& H,
                               const Vector& centre) {
  Matrix all(X.rows() + fresh.rows(), X.cols());
  all << X, fresh;
  Vector c = Vector::Zero(all.rows());
  c.head(X.rows()) = centre;
  const Matrix G = test::naive_centered_at(test::naive_kernel_matrix(kernel, all, all), c);
  const Matrix S = H.transpose() * G.topLeftCorner(X.rows(), X.rows()) * H;
  const Matrix root = test::SymmetricEigen(S).inverse_root();
  const Matrix Y = G.leftCols(X.rows()) * H * root;
  const Eigen::RowVectorXd mean = Y.topRows(X.rows()).colwise().mean();
  const Matrix centered = Y.topRows(X.rows()).rowwise() - mean;
  const Matrix covariance = centered.transpose() * centered / static_cast<double>(X.rows() - 1);
  const Matrix inverse = test::inverse_of(covariance);
  RowStatistics out{.t2 = Vector(fresh.rows()), .spe = Vector(fresh.rows())};
  for (Index i = 0; i < fresh.rows(); ++i) {
    const Eigen::RowVectorXd y = Y.row(X.rows() + i);
    out.t2[i] = (y - mean) * inverse * (y - mean).transpose();
    out.spe[i] = G(X.rows() + i, X.rows() + i) - y.squaredNorm();
  }
  return out;
}

class Monitor : public testing::TestWithParam<Case> {};

TEST_P(Monitor, IsTheDefinition) {
  const Case& c = GetParam();
  Matrix X = training_rows(), fresh = new_rows();
  const KernelPCA pca = KernelPCA(params_of(c)).fit(X);
  const Vector centre = centre_of(pca, c.center);
  if (c.kernel.name == KernelName::linear && c.loss.name == LossName::epsilon_insensitive && c.center) {
    const Eigen::RowVectorXd mean = X.colwise().mean();  // the rows themselves are centred in this case
    X.rowwise() -= mean;
    fresh.rowwise() -= mean;
  }
  const RowStatistics expected = naive_statistics(c.kernel, X, fresh, pca.dual_variables(), centre);
  const RowStatistics found = pca.monitor(new_rows());
  EXPECT_LE((found.t2 - expected.t2).cwiseAbs().maxCoeff(), c.bound * expected.t2.maxCoeff());
  EXPECT_LE((found.spe - expected.spe).cwiseAbs().maxCoeff(), c.bound * expected.spe.maxCoeff());
  EXPECT_GT(expected.spe.minCoeff(), 0);

  const test::TempDir directory;
  pca.save(directory.path("m"));
  const RowStatistics loaded = KernelPCA::load(directory.path("m")).monitor(new_rows(), 1);
  EXPECT_EQ(loaded.t2, found.t2);
  EXPECT_EQ(loaded.spe, found.spe);
}

const test::KernelCase rbf{KernelName::rbf, 0.2, 1, 0}, poly{KernelName::poly, 0.3, 2, 1},
    linear{KernelName::linear, 1, 1, 0};
const LossParams huber{.name = LossName::huber, .kappa_ratio = 0.3};
const LossParams sparse{.name = LossName::epsilon_insensitive, .sparsity = 0.6};

// In float32 each value of k has an error up to 2^-24, and SPE is a difference from k(x, x) = 1.
INSTANTIATE_TEST_SUITE_P(All, Monitor,
                         testing::Values(Case{"rbf", rbf}, Case{"rbf_uncentred", rbf, {}, false}, Case{"poly", poly},
                                         Case{"poly_uncentred", poly, {}, false}, Case{"linear", linear},
                                         Case{"linear_uncentred", linear, {}, false}, Case{"huber", rbf, huber},
                                         Case{"sparse", rbf, sparse}, Case{"sparse_uncentred", rbf, sparse, false},
                                         Case{"sparse_linear", linear, sparse},
                                         Case{"float32", rbf, {}, true, Precision::float32, 1e-4},
                                         Case{"sparse_float32", rbf, sparse, true, Precision::float32, 1e-4}),
                         [](const auto& p) { return std::string(p.param.name); });

TEST(MonitorOfLandmarks, IsThatOfAFullFit) {
  const Matrix X = random_normal(600, 2, 1), fresh = random_normal(50, 2, 2);
  const KernelPCAParams params{.n_components = 3, .kernel = {.gamma = 0.2}, .solver = {.tol = 1e-10}};
  KernelPCAParams few = params;
  few.solver.name = SolverName::nystrom;
  const KernelPCA landmarks = KernelPCA(few).fit(X);
  ASSERT_TRUE(landmarks.report().landmarks);
  const RowStatistics a = KernelPCA(params).fit(X).monitor(fresh), b = landmarks.monitor(fresh);
  EXPECT_LE((a.t2 - b.t2).cwiseAbs().maxCoeff(), 1e-5 * a.t2.maxCoeff());
  EXPECT_LE((a.spe - b.spe).cwiseAbs().maxCoeff(), 1e-5 * a.spe.maxCoeff());
}

TEST(MonitorOfSeries, IsThatOfLaggedRows) {
  const Matrix X = training_rows(), fresh = new_rows();
  const auto lagged = [](const Matrix& rows) {
    Matrix out(rows.rows() - 2, 3 * rows.cols());
    for (Index i = 0; i < out.rows(); ++i) out.row(i) << rows.row(i), rows.row(i + 1), rows.row(i + 2);
    return out;
  };
  KernelPCAParams params = params_of({"rbf", rbf});
  const RowStatistics expected = KernelPCA(params).fit(lagged(X)).monitor(lagged(fresh));
  params.lags = 2;
  const RowStatistics found = KernelPCA(params).fit(X).monitor(fresh);
  EXPECT_EQ(found.t2, expected.t2);
  EXPECT_EQ(found.spe, expected.spe);
}

TEST(MonitorOfSparseRows, IsThatOfDenseOnes) {
  Matrix X = training_rows();
  X = (X.array().abs() < 0.7).select(0.0, X);
  CsrMatrix csr;
  csr.cols = d;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j)
      if (X(i, j) != 0) {
        csr.columns.push_back(static_cast<std::int32_t>(j));
        csr.values.push_back(X(i, j));
      }
    csr.offsets.push_back(static_cast<Index>(csr.values.size()));
  }
  const KernelPCAParams params = params_of({"rbf", rbf});
  const RowStatistics dense = KernelPCA(params).fit(X).monitor(new_rows());
  const RowStatistics found = KernelPCA(params).fit(csr.view()).monitor(new_rows());
  EXPECT_LE((dense.t2 - found.t2).cwiseAbs().maxCoeff(), 1e-8 * dense.t2.maxCoeff());
  EXPECT_LE((dense.spe - found.spe).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(MonitorOfComponentsThatAreZero, LeavesThemOut) {
  const Matrix X = random_normal(n, 1, 1) * Eigen::RowVector3d(1, 2, 3);
  KernelPCAParams params{.n_components = 3, .kernel = {.name = KernelName::linear}, .precision = Precision::float32};
  params.monitor = {.limits = LimitKind::chi2};
  const KernelPCA pca = KernelPCA(params).fit(X);
  const Vector t2 = pca.monitor(X).t2;
  EXPECT_NEAR(t2.sum(), n - 1, 1e-3 * n);  // T2 of one component
  const double alone = KernelPCA([&] {
                         KernelPCAParams one = params;
                         one.n_components = 1;
                         return one;
                       }())
                           .fit(X)
                           .limits()
                           ->t2;
  EXPECT_NEAR(pca.limits()->t2, alone, 1e-9 * alone);
}

TEST(Monitor, RefusesWhatItCannotDo) {
  const Matrix K = test::naive_kernel_matrix(rbf, training_rows(), training_rows());
  const KernelPCA given = KernelPCA({.kernel = {.name = KernelName::precomputed}}).fit(K);
  EXPECT_EQ(test::message_of<InvalidArgument>([&] { (void)given.monitor(K); }),
            "SPE needs k(x, x), which a precomputed kernel does not contain");
  const KernelPCA pca = KernelPCA(params_of({"rbf", rbf})).fit(training_rows());
  EXPECT_THROW((void)pca.monitor(Matrix(Matrix::Zero(3, d + 1))), DataError);
  EXPECT_THROW((void)pca.monitor(Matrix(Matrix::Constant(1, d, std::nan("")))), DataError);
  EXPECT_THROW((void)KernelPCA().monitor(training_rows()), NotFitted);
  EXPECT_EQ(pca.monitor(Matrix(0, d)).t2.size(), 0);
}

}  // namespace
}  // namespace dualkpca::monitor_test
