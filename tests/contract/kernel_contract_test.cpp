#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "dualkpca/core/random.hpp"
#include "support/csr.hpp"
#include "support/naive.hpp"

namespace dualkpca::kernel_contract_test {
namespace {

using test::KernelCase;

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

enum class Storage { dense, sparse };

// Returns the kernel's tile of A and B, which are stored as dense or sparse rows.
template <class T>
Matrix tile(const KernelCase& k, const Matrix& A, const Matrix& B, Storage storage = Storage::dense) {
  const auto kernel = make_kernel(k.name, k.gamma, k.degree, k.coef0);
  RowMajor<T> out(A.rows(), B.rows());
  const TileRef<T> target{out.data(), out.rows(), out.cols(), out.cols()};
  if (storage == Storage::sparse) {
    const CsrRows<T> a = test::csr_of<T>(A), b = test::csr_of<T>(B);
    kernel->tile(a.view(), b.view(), target);
  } else {
    const RowMajor<T> a = A.cast<T>(), b = B.cast<T>();
    kernel->tile(DenseRows<T>{a.data(), a.rows(), a.cols(), a.cols()},
                 DenseRows<T>{b.data(), b.rows(), b.cols(), b.cols()}, target);
  }
  return out.template cast<double>();
}

// Returns rows of norm about 1. Most entries of sparse rows are zero, and one sparse row is all zero.
Matrix samples(Index n, Index d, std::uint64_t seed, Storage storage) {
  Matrix X = random_normal(n, d, seed) / std::sqrt(static_cast<double>(d));
  if (storage == Storage::dense) return X;
  const Matrix keep = random_normal(n, d, seed + 100);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j) X(i, j) = keep(i, j) > 0.8 ? 2 * X(i, j) : 0;
  X.row(n / 2).setZero();
  return X;
}

struct Case {
  KernelCase kernel;
  Index d;  // dimensions on both sides of the switch from differences to inner products
  Storage storage;
};

class KernelContract : public testing::TestWithParam<Case> {
 protected:
  const KernelCase k = GetParam().kernel;
  const Index d = GetParam().d;
  const Storage storage = GetParam().storage;

  // Returns the largest error of an entry relative to the largest value of the kernel on these rows.
  template <class T>
  [[nodiscard]] double error(const Matrix& A, const Matrix& B) const {
    const Matrix a = test::rounded(A, precision_of<T>), b = test::rounded(B, precision_of<T>);
    const Matrix expected = test::naive_kernel_matrix(k, a, b);
    const double largest = std::max(1.0, expected.cwiseAbs().maxCoeff());
    return (tile<T>(k, a, b, storage) - expected).cwiseAbs().maxCoeff() / largest;
  }
};

// Rounding of inner products of d terms and of their powers: a small multiple of epsilon * sqrt(d) * degree.
double bound(Precision precision, Index d) { return 40 * epsilon_of(precision) * std::sqrt(static_cast<double>(d)); }

TEST_P(KernelContract, EqualsItsFormula) {
  const Matrix A = samples(37, d, 1, storage), B = samples(53, d, 2, storage);
  EXPECT_LE(error<float>(A, B), bound(Precision::float32, d));
  EXPECT_LE(error<double>(A, B), bound(Precision::float64, d));
}

TEST_P(KernelContract, DiagonalAgreesWithTheFormula) {
  const Matrix A = samples(20, d, 3, storage);
  const auto kernel = make_kernel(k.name, k.gamma, k.degree, k.coef0);
  const auto check = [&]<class T>(T, double allowed) {
    const Matrix a = test::rounded(A, precision_of<T>);
    const RowMajor<T> dense = a.cast<T>();
    Vector diagonal(20);
    if (storage == Storage::sparse)
      kernel->diagonal(test::csr_of<T>(a).view(), diagonal.data());
    else
      kernel->diagonal(DenseRows<T>{dense.data(), 20, d, d}, diagonal.data());
    const Vector expected = test::naive_kernel_matrix(k, a, a).diagonal();
    EXPECT_LE((diagonal - expected).cwiseAbs().maxCoeff(), allowed * std::max(1.0, expected.cwiseAbs().maxCoeff()));
  };
  check(float{}, 1e-13);  // the diagonal is float64 for rows of any precision
  check(double{}, 1e-13);
}

TEST_P(KernelContract, EveryTileShapeGivesTheSameValues) {
  const Matrix A = samples(70, d, 4, storage);
  const Matrix whole = tile<float>(k, A, A, storage);
  for (const Index width : {1, 3, 8, 17, 33, 64}) {
    const Matrix part = tile<float>(k, A.topRows(5), A.middleRows(6, width), storage);
    EXPECT_LE((part - whole.block(0, 6, 5, width)).cwiseAbs().maxCoeff(), bound(Precision::float32, d)) << width;
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Storage storage : {Storage::dense, Storage::sparse})
    for (const KernelCase& kernel :
         {KernelCase{KernelName::rbf, 0.7, 0, 0}, KernelCase{KernelName::laplace, 0.9, 0, 0},
          KernelCase{KernelName::laplacian, 0.2, 0, 0}, KernelCase{KernelName::matern32, 0.8, 0, 0},
          KernelCase{KernelName::matern52, 0.8, 0, 0}, KernelCase{KernelName::poly, 0.5, 3, 1.0},
          KernelCase{KernelName::poly, 1.0, 2, 0.0}, KernelCase{KernelName::poly, 0.3, 7, -0.5},
          KernelCase{KernelName::linear, 1, 1, 0}, KernelCase{KernelName::sigmoid, 0.6, 0, 0.3},
          KernelCase{KernelName::sigmoid, 2.0, 0, -0.5}, KernelCase{KernelName::cosine, 1, 0, 0}})
      for (const Index d : {5, 40, 100, 300}) cases.push_back({kernel, d, storage});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(EveryKernel, KernelContract, testing::ValuesIn(all_cases()), [](const auto& p) {
  return test::case_name(p.param.kernel) + (p.param.storage == Storage::sparse ? "_sparse_" : "_dense_") +
         std::to_string(p.param.d) + "_" + std::to_string(p.index);
});

// The cosine of tiny or huge rows is well defined.
TEST(CosineKernel, DoesNotDependOnTheUnitOfTheRows) {
  const Matrix A = samples(9, 40, 5, Storage::sparse);
  const KernelCase k{KernelName::cosine, 1, 0, 0};
  const Matrix expected = test::naive_kernel_matrix(k, A, A);
  for (const Storage storage : {Storage::dense, Storage::sparse})
    for (const double unit : {1e-25, 1e14})
      EXPECT_LE((tile<float>(k, A * unit, A * unit, storage) - expected).cwiseAbs().maxCoeff(), 1e-5) << unit;
}

// The tile has more rows than a panel of sparse rows, and the columns of entries are far apart.
class SparseTile : public testing::TestWithParam<Index> {};

TEST_P(SparseTile, OfManyRowsAndColumns) {
  const Index d = GetParam(), n = 150, far = d / 10;
  CsrMatrix X;
  X.cols = d;
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index e = 0; e < 3 + i % 5; ++e) {
      const auto column = static_cast<std::int32_t>((i % 7) * far + e * (i % 3 + 1) * 1000 + (e == 2 ? i : 0));
      rows[static_cast<std::size_t>(i)].emplace_back(column, 1.0 + 0.1 * static_cast<double>(e + i % 4));
    }
    for (const auto& [column, value] : rows[static_cast<std::size_t>(i)]) {
      X.columns.push_back(column);
      X.values.push_back(value);
    }
    X.offsets.push_back(static_cast<Index>(X.values.size()));
  }
  SamplesView(X.view()).require_finite("rows");
  RowMajor<double> products(n, n), manhattan(n, n);
  make_kernel(KernelName::linear, 1, 1, 0)->tile(X.view(), X.view(), TileRef<double>{products.data(), n, n, n});
  make_kernel(KernelName::laplacian, 0.1, 1, 0)->tile(X.view(), X.view(), TileRef<double>{manhattan.data(), n, n, n});
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      std::map<std::int32_t, std::pair<double, double>> pairs;
      for (const auto& [column, value] : rows[static_cast<std::size_t>(i)]) pairs[column].first = value;
      for (const auto& [column, value] : rows[static_cast<std::size_t>(j)]) pairs[column].second = value;
      double product = 0, distance = 0;
      for (const auto& [column, pair] : pairs) {
        product += pair.first * pair.second;
        distance += std::abs(pair.first - pair.second);
      }
      ASSERT_NEAR(products(i, j), product, 1e-12) << i << ' ' << j;
      ASSERT_NEAR(manhattan(i, j), std::exp(-0.1 * distance), 1e-12) << i << ' ' << j;
    }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutTheTableOfSlots, SparseTile, testing::Values(2000000, 2147483647));

// The rows nearly coincide and are far from the origin, so |x|^2 + |y|^2 - 2x'y has no correct digit in float32.
class NearDuplicates : public testing::TestWithParam<Index> {};

TEST_P(NearDuplicates, KeepTheirDistanceFarFromTheOrigin) {
  const Index d = GetParam();
  Matrix X = random_normal(30, d, 5) * 0.01;
  X.array() += 1000.0;
  const Matrix x = test::rounded(X, Precision::float32);
  for (const KernelName name : {KernelName::rbf, KernelName::laplace, KernelName::laplacian, KernelName::matern32})
    for (const Storage storage : {Storage::dense, Storage::sparse}) {
      const KernelCase k{name, 10.0 / std::sqrt(static_cast<double>(d)), 0, 0};
      const Matrix out = tile<float>(k, x, x, storage);
      const Matrix expected = test::naive_kernel_matrix(k, x, x);
      EXPECT_LE((out - expected).cwiseAbs().maxCoeff(), 1e-5) << to_string(name);
      EXPECT_EQ(out.diagonal(), Vector::Ones(30)) << to_string(name);
    }
}
INSTANTIATE_TEST_SUITE_P(DirectAndByProducts, NearDuplicates, testing::Values(3, 32, 33, 256));

// Two tight groups are far apart. A shift of the origin does not help; only a repair of the inexact entries does.
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
  // exp(-t) is denormal for t in 87.4..103. Without flushing to zero, dozens of entries are denormal.
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
}  // namespace dualkpca::kernel_contract_test
