// The bound on the rounding of kernel values holds for every kernel, and it is not much larger than the errors.
#include "kernel/entry_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dualkpca/core/random.hpp"
#include "support/csr.hpp"
#include "support/naive.hpp"

namespace dualkpca::entry_errors_test {
namespace {

using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

const std::vector<ResolvedKernel> kernels = {
    {KernelName::rbf, 0.5, 1, 0},      {KernelName::laplace, 0.7, 1, 0},   {KernelName::laplacian, 0.2, 1, 0},
    {KernelName::matern32, 0.6, 1, 0}, {KernelName::matern52, 0.6, 1, 0},  {KernelName::linear, 0, 1, 0},
    {KernelName::poly, 0.3, 3, 1},     {KernelName::sigmoid, 0.1, 1, 0.5}, {KernelName::cosine, 0, 1, 0}};

// Rows around the origin, some at a distance of up to 1e4 from it, some in pairs that nearly coincide.
Matrix rows(Index n, Index d, double offset) {
  Matrix X = random_normal(n, d, 5) / std::sqrt(static_cast<double>(d));
  X.row(0).array() += offset;
  X.row(1) = X.row(0);
  X(1, 0) += 0.3;
  X.row(2) = X.row(3) * (1 + 1e-6);
  return X;
}

TEST(EntryErrors, BoundTheErrorsOfEveryKernel) {
  const Index n = 60;
  for (const ResolvedKernel& kernel : kernels)
    for (const Index d : {3, 40, 900})
      for (const double offset : {0.0, 3.0, 1e4}) {
        const Matrix X = rows(n, d, offset);
        const MatrixF narrow = X.cast<float>();
        const SamplesView view(DenseRows<float>{narrow.data(), n, d, d});
        MatrixF values(n, n);
        make_kernel(kernel)->tile(view.dense<float>(), view.dense<float>(), {values.data(), n, n, n});
        const Matrix exact = test::naive_kernel_matrix({kernel.name, kernel.gamma, kernel.degree, kernel.coef0}, X, X);
        const EntryErrors errors = entry_errors(kernel, view, 2);
        const auto both = [&](const Vector& of, Index i, Index j) {
          return errors.is_product ? of[i] * of[j] : std::min(of[i], of[j]);
        };
        double worst = 0;
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) {
            // No error of a single value is eight times its typical size.
            const double allowed = both(errors.shared, i, j) + 8 * both(errors.single, i, j);
            const double error = std::abs(static_cast<double>(values(i, j)) - exact(i, j));
            EXPECT_LE(error, allowed) << to_string(kernel.name) << " " << d << " " << offset << " " << i << " " << j;
            worst = std::max(worst, error / allowed);
          }
        EXPECT_GT(worst, 2e-4) << to_string(kernel.name) << " " << d << " " << offset;
        const Matrix E = values.cast<double>() - exact;
        const Vector rows = errors.shared_rows() + std::sqrt(static_cast<double>(n)) * errors.single_rows();
        EXPECT_TRUE((E.rowwise().norm().array() <= rows.array()).all()) << to_string(kernel.name) << d << " " << offset;
        EXPECT_LE(std::sqrt(test::eigenvalues_descending(E * E.transpose())[0]), errors.shared_norm() + rows.norm())
            << to_string(kernel.name);
      }
}

TEST(EntryErrors, NameTheRowsThatFloat32CannotHold) {
  const Matrix X = rows(60, 3, 3e6);
  const MatrixF narrow = X.cast<float>();
  const SamplesView view(DenseRows<float>{narrow.data(), 60, 3, 3});
  const Vector shared = entry_errors(rbf_kernel(1), view, 1).shared;
  EXPECT_GT(shared.head(2).minCoeff(), 0.1);
  EXPECT_LT(shared.tail(58).maxCoeff(), 1e-5);
  const EntryErrors wide = entry_errors(rbf_kernel(1), SamplesView(DenseRows<double>{X.data(), 60, 3, 3}), 1);
  EXPECT_LT(wide.shared.maxCoeff(), 1e-8);
}

}  // namespace
}  // namespace dualkpca::entry_errors_test
