#include <gtest/gtest.h>

#include <cmath>

#include "dualkpca/core/random.hpp"
#include "support/naive.hpp"

namespace dualkpca {
namespace {

using test::KernelCase;

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Case {
  KernelCase kernel;
  Index d;  // on both sides of the switch from differences to inner products
};

class KernelContract : public testing::TestWithParam<Case> {
 protected:
  template <class T>
  static Matrix tile(const KernelCase& k, const Matrix& A, const Matrix& B) {
    const RowMajor<T> a = A.cast<T>(), b = B.cast<T>();
    RowMajor<T> out(A.rows(), B.rows());
    make_kernel(k.name, k.gamma, k.degree, k.coef0)
        ->tile(DenseRows<T>{a.data(), a.rows(), a.cols(), a.cols()},
               DenseRows<T>{b.data(), b.rows(), b.cols(), b.cols()},
               TileRef<T>{out.data(), out.rows(), out.cols(), out.cols()});
    return out.template cast<double>();
  }
  // Error of every entry relative to the largest value a kernel of this data takes.
  template <class T>
  static double error(const Matrix& A, const Matrix& B) {
    const KernelCase k = GetParam().kernel;
    const Matrix a = test::rounded(A, precision_of<T>), b = test::rounded(B, precision_of<T>);
    const Matrix expected = test::naive_kernel_matrix(k, a, b);
    const double largest = std::max(1.0, expected.cwiseAbs().maxCoeff());
    return (tile<T>(k, a, b) - expected).cwiseAbs().maxCoeff() / largest;
  }
};

// Inner products of d terms and a power of them: a small multiple of epsilon * sqrt(d) * degree.
double bound(Precision precision, Index d) { return 40 * epsilon_of(precision) * std::sqrt(static_cast<double>(d)); }

TEST_P(KernelContract, EqualsItsFormula) {
  const Index d = GetParam().d;
  const Matrix A = random_normal(37, d, 1) / std::sqrt(static_cast<double>(d)),
               B = random_normal(53, d, 2) / std::sqrt(static_cast<double>(d));
  EXPECT_LE(error<float>(A, B), bound(Precision::float32, d));
  EXPECT_LE(error<double>(A, B), bound(Precision::float64, d));
}

TEST_P(KernelContract, DiagonalAgreesWithTheTile) {
  const KernelCase k = GetParam().kernel;
  const Matrix A = random_normal(20, GetParam().d, 3) / std::sqrt(static_cast<double>(GetParam().d));
  Vector diagonal(20);
  make_kernel(k.name, k.gamma, k.degree, k.coef0)
      ->diagonal(DenseRows<double>{A.data(), 20, A.cols(), A.cols()}, diagonal.data());
  const Vector expected = test::naive_kernel_matrix(k, A, A).diagonal();
  EXPECT_LE((diagonal - expected).cwiseAbs().maxCoeff(), 1e-13 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
}

TEST_P(KernelContract, EveryTileShapeGivesTheSameValues) {
  const KernelCase k = GetParam().kernel;
  const Matrix A = random_normal(70, GetParam().d, 4) / std::sqrt(static_cast<double>(GetParam().d));
  const Matrix whole = tile<float>(k, A, A);
  for (const Index width : {1, 3, 8, 17, 33, 64}) {
    const Matrix part = tile<float>(k, A.topRows(5), A.middleRows(6, width));
    EXPECT_LE((part - whole.block(0, 6, 5, width)).cwiseAbs().maxCoeff(), bound(Precision::float32, GetParam().d))
        << width;
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryKernel, KernelContract,
    testing::Values(Case{{KernelName::rbf, 0.7, 0, 0}, 5}, Case{{KernelName::rbf, 0.7, 0, 0}, 100},
                    Case{{KernelName::laplace, 0.9, 0, 0}, 5}, Case{{KernelName::laplace, 0.9, 0, 0}, 100},
                    Case{{KernelName::poly, 0.5, 3, 1.0}, 5}, Case{{KernelName::poly, 0.5, 3, 1.0}, 100},
                    Case{{KernelName::poly, 1.0, 2, 0.0}, 40}, Case{{KernelName::poly, 0.3, 7, -0.5}, 40},
                    Case{{KernelName::linear, 1, 1, 0}, 5}, Case{{KernelName::linear, 1, 1, 0}, 100}),
    [](const auto& p) {
      return test::case_name(p.param.kernel) + "_" + std::to_string(p.param.d) + "_" + std::to_string(p.index);
    });

// Rows that nearly coincide, far from the origin: |x|^2 + |y|^2 - 2x'y has no correct digit in float32 here.
class NearDuplicates : public testing::TestWithParam<Index> {};

TEST_P(NearDuplicates, KeepTheirDistanceFarFromTheOrigin) {
  const Index d = GetParam();
  Matrix X = random_normal(30, d, 5) * 0.01;
  X.array() += 1000.0;
  const Matrix x = test::rounded(X, Precision::float32);
  for (const KernelName name : {KernelName::rbf, KernelName::laplace}) {
    const KernelCase k{name, 10.0 / std::sqrt(static_cast<double>(d)), 0, 0};
    const RowMajor<float> f = x.cast<float>();
    RowMajor<float> out(30, 30);
    make_kernel(k.name, k.gamma, 1, 0)
        ->tile(DenseRows<float>{f.data(), 30, d, d}, DenseRows<float>{f.data(), 30, d, d},
               TileRef<float>{out.data(), 30, 30, 30});
    const Matrix expected = test::naive_kernel_matrix(k, x, x);
    EXPECT_LE((out.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-5) << to_string(name);
    EXPECT_EQ(out.diagonal(), Eigen::VectorXf::Ones(30)) << to_string(name);
  }
}
INSTANTIATE_TEST_SUITE_P(DirectAndByProducts, NearDuplicates, testing::Values(3, 32, 33, 256));

// Two tight groups far apart: no shift of the origin helps, only the repaired entries do.
TEST(KernelCancellation, TightGroupsFarApart) {
  const Index d = 64;
  Matrix X = random_normal(40, d, 6) * 0.05;
  X.topRows(20).array() += 300;
  X.bottomRows(20).array() -= 300;
  const Matrix x = test::rounded(X, Precision::float32);
  const KernelCase k{KernelName::laplace, 1.0, 0, 0};
  const RowMajor<float> f = x.cast<float>();
  RowMajor<float> out(40, 40);
  make_kernel(k.name, k.gamma, 1, 0)
      ->tile(DenseRows<float>{f.data(), 40, d, d}, DenseRows<float>{f.data(), 40, d, d},
             TileRef<float>{out.data(), 40, 40, 40});
  EXPECT_LE((out.cast<double>() - test::naive_kernel_matrix(k, x, x)).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(KernelValues, HoldNoDenormals) {
  const Index d = 3;
  Matrix X(200, d);
  for (Index i = 0; i < 200; ++i) X.row(i).setConstant(0.03 * static_cast<double>(i));
  const RowMajor<float> f = X.cast<float>();
  RowMajor<float> out(200, 200);
  make_kernel(KernelName::rbf, 1.0, 1, 0)
      ->tile(DenseRows<float>{f.data(), 200, d, d}, DenseRows<float>{f.data(), 200, d, d},
             TileRef<float>{out.data(), 200, 200, 200});
  // exp(-t) is denormal for t in 87.4..103; without flushing dozens of entries fall there.
  Index zeros = 0;
  for (Index i = 0; i < out.size(); ++i) {
    EXPECT_NE(std::fpclassify(out.data()[i]), FP_SUBNORMAL);
    zeros += out.data()[i] == 0;
  }
  EXPECT_GT(zeros, 0);
}

TEST(MakeKernel, RefusesBadParameters) {
  EXPECT_THROW((void)make_kernel(KernelName::rbf, 0, 1, 0), std::exception);
  EXPECT_THROW((void)make_kernel(KernelName::laplace, -1, 1, 0), std::exception);
  EXPECT_THROW((void)make_kernel(KernelName::poly, 1, 0, 0), std::exception);
  EXPECT_THROW((void)make_kernel(KernelName::precomputed, 1, 1, 0), std::exception);
  EXPECT_THROW((void)parse_kernel("rbff"), std::exception);
}

}  // namespace
}  // namespace dualkpca
