#include "kernel/slope.hpp"

#include <gtest/gtest.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "support/naive.hpp"

namespace dualkpca::slope_test {
namespace {

class Slope : public testing::TestWithParam<test::KernelCase> {};

TEST_P(Slope, IsTheDerivativeByDifferences) {
  const test::KernelCase& kernel = GetParam();
  const KernelSlope slope(kernel.name, kernel.gamma, kernel.degree, kernel.coef0);
  const Matrix X = 0.7 * random_normal(6, 4, 1), Y = 0.7 * random_normal(5, 4, 2);
  const Matrix U = slope.arguments(X, Y);
  Matrix values, slopes;
  slope.evaluate(U, values, slopes);
  constexpr double h = 1e-5;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < Y.rows(); ++j) {
      EXPECT_NEAR(slope.value(U(i, j)), test::naive_kernel(kernel, X.row(i).data(), Y.row(j).data(), 4), 1e-12);
      EXPECT_NEAR(values(i, j), slope.value(U(i, j)), 1e-13);
      EXPECT_NEAR(slopes(i, j), slope.slope(U(i, j)), 1e-13);
      for (Index c = 0; c < 4; ++c) {
        Matrix up = X.row(i), down = X.row(i);
        up(0, c) += h;
        down(0, c) -= h;
        const double difference = (test::naive_kernel(kernel, up.data(), Y.row(j).data(), 4) -
                                   test::naive_kernel(kernel, down.data(), Y.row(j).data(), 4)) /
                                  (2 * h);
        const double direction = slope.is_of_distance() ? Y(j, c) - X(i, c) : Y(j, c);
        EXPECT_NEAR(slope.slope(U(i, j)) * direction, difference, 1e-8);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, Slope,
    testing::Values(test::KernelCase{KernelName::rbf, 0.3, 1, 0}, test::KernelCase{KernelName::laplace, 0.7, 1, 0},
                    test::KernelCase{KernelName::matern32, 0.7, 1, 0},
                    test::KernelCase{KernelName::matern52, 0.7, 1, 0}, test::KernelCase{KernelName::poly, 0.5, 3, 1},
                    test::KernelCase{KernelName::linear, 1, 1, 0}, test::KernelCase{KernelName::sigmoid, 0.2, 1, 0.1}),
    [](const auto& p) { return test::case_name(p.param); });

TEST(KernelSlope, IsRefusedWhereThereIsNone) {
  for (const KernelName name : {KernelName::laplacian, KernelName::cosine, KernelName::precomputed})
    EXPECT_THROW(KernelSlope(name, 1, 1, 0), InvalidArgument);
}

}  // namespace
}  // namespace dualkpca::slope_test
