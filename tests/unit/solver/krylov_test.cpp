#include "solver/krylov.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "solver/krylov_space.hpp"
#include "solver/solvers.hpp"
#include "support/naive.hpp"

namespace dualkpca::krylov_test {
namespace {

TEST(KrylovSpace, StaysOrthonormalWithDependentAndTinyColumns) {
  const Index n = 60;
  const Matrix G = test::with_spectrum(Vector::LinSpaced(n, 1, 0.01), 3);
  KrylovSpace space(n, 2);
  Matrix W = random_normal(n, 6, 1);
  W.col(3) = W.col(0) - 2 * W.col(1);
  W.col(4) *= 1e-12;
  W = space.orthonormal(W);
  EXPECT_EQ(W.cols(), 5);
  space.append(W, G * W);
  // These columns are almost in the span of the basis.
  const Matrix again = W + 1e-9 * random_normal(n, 5, 2);
  EXPECT_EQ(space.orthonormal(again).cols(), 0);
  Matrix more = space.orthonormal(random_normal(n, 8, 3));
  space.append(more, G * more);
  Matrix joined = random_normal(n, 4, 4);
  space.join(joined, G * joined, 0.1);
  const Index before = space.size();
  space.join(Matrix::Zero(n, 2), Matrix::Zero(n, 2), 0.5);
  const Matrix known = space.basis() * random_normal(before, 3, 5);
  space.join(known, G * known, 0.5);
  EXPECT_EQ(space.size(), before);
  const Matrix Q = space.basis();
  EXPECT_LE((Q.transpose() * Q - Matrix::Identity(Q.cols(), Q.cols())).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE((space.products() - G * Q).cwiseAbs().maxCoeff(), 1e-12);
  const BasisSpectrum spectrum = space.spectrum(space.ritz());
  EXPECT_LE((spectrum.theta - test::eigenvalues_descending(Q.transpose() * G * Q)).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix R = G * Q - Q * (Q.transpose() * G * Q);
  EXPECT_NEAR(spectrum.residual.trace(), R.squaredNorm(), 1e-12);
}

TEST(KrylovBlock, IsNeverWiderThanTwiceTheComponents) {
  EXPECT_EQ(krylov_block(20, 10000), 28);
  EXPECT_EQ(krylov_block(5, 10000), 10);
  EXPECT_EQ(krylov_block(1, 10000), 8);
  EXPECT_EQ(krylov_block(3, 10000), 8);
  EXPECT_EQ(krylov_block(1, 5), 5);
  EXPECT_EQ(krylov_block(50, 52), 52);
  for (Index s = 4; s < 300; ++s) EXPECT_LE(krylov_block(s, 10000), 2 * s);
}

// No method in the Krylov space of the same block is better after the same number of products.
TEST(Krylov, IsNeverBehindLbfgsFromTheSameProducts) {
  const Matrix X = random_normal(400, 6, 2);
  const Matrix G = test::naive_kernel_matrix({KernelName::laplace, 0.4, 1, 0}, X, X);
  for (const Index products : {2, 3, 5, 8}) {
    const auto one = make_precomputed_gram(G, Precision::float64, 1),
               other = make_precomputed_gram(G, Precision::float64, 1);
    const SolveResult krylov = solve_krylov(*one, 5, {.tol = 1e-14, .max_iter = products});
    const SolveResult lbfgs = solve_lbfgs(*other, 5, {.tol = 1e-14, .max_iter = products - 1});
    EXPECT_EQ(one->counts().products, other->counts().products);
    EXPECT_LE(krylov.dual_objective, lbfgs.dual_objective + 1e-12) << products;
  }
}

TEST(Krylov, DoesNotBelieveItsEstimateBeforeTheThirdProduct) {
  const Matrix G = Matrix::Identity(300, 300);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  EXPECT_EQ(solve_krylov(*gram, 3, {.tol = 0.1}).status,
            Status::converged);  // the space is invariant after one product
  // One direction of ones has the eigenvalue 30 and the rest is small, so the sums of the rows show nothing.
  const Matrix other = 0.1 * Matrix::Ones(300, 300) + test::with_spectrum(Vector::LinSpaced(300, 1, 0), 1);
  const auto others = make_precomputed_gram(other, Precision::float64, 1);
  (void)solve_krylov(*others, 3, {.tol = 0.5});
  EXPECT_GE(others->counts().products, 3);
}

TEST(Krylov, BelievesTheSumsOfTheRowsAfterOneProduct) {
  const Matrix noisy = Matrix::Identity(300, 300) + 1e-3 * test::with_spectrum(Vector::LinSpaced(300, 1, 0), 1);
  const auto gram = make_precomputed_gram(noisy, Precision::float64, 1);
  const SolveResult result = solve_krylov(*gram, 3, {.tol = 0.5});
  EXPECT_EQ(gram->counts().products, 1);
  EXPECT_LE(result.eta, 0.5);
}

TEST(Krylov, RestartsWithinItsMemory) {
  const Vector values = Vector::LinSpaced(500, 2, 1);  // no gaps, so many products are needed
  const Matrix G = test::with_spectrum(values, 5);
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  const std::size_t three_blocks = std::size_t{3} * 8 * 500 * 2 * sizeof(double);
  EXPECT_EQ(krylov_columns(three_blocks, 500, 8), 32);  // the method needs at least four blocks
  const SolveResult result = solve(*gram, 4, {.name = SolverName::krylov, .tol = 1e-6}, {.memory = three_blocks});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR(-2 * result.dual_objective, values.head(4).sum(), 1e-4);
}

TEST(Krylov, EndsAtWorkingPrecisionInFloat32) {
  const Matrix X = random_normal(900, 5, 2);
  const Matrix G = test::naive_kernel_matrix({KernelName::rbf, 0.3, 1, 0}, X, X);
  const auto gram = make_precomputed_gram(G, Precision::float32, 2);
  const SolveResult all = solve(*gram, 5, {.name = SolverName::krylov, .tol = 0});
  EXPECT_EQ(all.status, Status::converged);
  EXPECT_LT(all.eta, 1e-9);
  EXPECT_LT(all.iterations, 40);
  const SolveResult more = solve(*gram, 5, {.name = SolverName::krylov, .tol = 1e-32});
  EXPECT_EQ(more.status, Status::stopped);
  EXPECT_NE(more.message.find("float64"), std::string::npos) << more.message;
}

TEST(Krylov, ACertificateThatIsOutOfReachIsSaidSo) {
  const Matrix X = random_normal(700, 8, 2);
  const Matrix G = test::naive_kernel_matrix({KernelName::laplace, 0.5, 1, 0}, X, X);
  const auto gram = make_precomputed_gram(G, Precision::float64, 2);
  const SolveResult early =
      solve(*gram, 6, {.name = SolverName::krylov, .tol = 1e-6, .accuracy = Accuracy::certified, .max_iter = 2});
  EXPECT_EQ(early.status, Status::iteration_limit);
  EXPECT_FALSE(early.message.empty());
  EXPECT_GT(early.H.norm(), 0);
  const SolveResult done = solve(*gram, 6, {.name = SolverName::krylov, .tol = 1e-6, .accuracy = Accuracy::certified});
  EXPECT_EQ(done.status, Status::converged);
  EXPECT_EQ(done.eta_kind, EtaKind::certified);
  EXPECT_LE(done.eta, 1e-6);
}

}  // namespace
}  // namespace dualkpca::krylov_test
