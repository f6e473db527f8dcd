// Tests of propositions of the paper, named by their labels, against decompositions in explicit feature space.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "dualkpca/objective/dual_objective.hpp"
#include "dualkpca/solver/solver.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::propositions_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr RankRule ranked{.relative = 1e-12, .absolute = 0};

// Returns features in p <= n dimensions whose Gram matrix has eigenvalues from 1 down to 1 / condition.
Matrix features(Index n, Index p, double condition, std::uint64_t seed) {
  Vector lengths(p);
  for (Index k = 0; k < p; ++k)
    lengths[k] = std::pow(condition, -0.5 * static_cast<double>(k) / static_cast<double>(std::max<Index>(1, p - 1)));
  return test::random_orthonormal(n, p, seed) * lengths.asDiagonal() *
         test::random_orthonormal(p, p, seed + 1).transpose();
}

double spread(const Vector& sigma) { return sigma[0] / sigma[sigma.size() - 1]; }
double inner(const Matrix& A, const Matrix& B) { return A.cwiseProduct(B).sum(); }

// pi(H) = Tr (H'GH)^{1/2} = |G^{1/2} H|_* = max of <H, Phi W> over orthonormal W. The paper assumes that G has full
// rank, but p >= s is enough, even if p < n.
TEST(PropFlGstar, PiIsTheNuclearNormAndTheLargestInnerProduct) {
  constexpr Index n = 30;
  for (const Index p : {Index{4}, Index{10}, n})
    for (const Index s : {Index{1}, Index{4}})
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Matrix Phi = features(n, p, 100, seed), G = Phi * Phi.transpose(), H = random_normal(n, s, seed + 100);
        const double pi = evaluate_dual(H, G * H, {}).root.trace_root();
        const test::SymmetricEigen eigen(G);
        const Matrix root = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() *
                            eigen.eigenvectors().transpose();
        const test::Polar polar = test::polar(Phi.transpose() * H);
        // The error of an eigenvalue of S is epsilon times the largest one. For its root, divide by the least singular
        // value.
        const double rounding = 10 * n * epsilon * polar.sigma[0] * polar.sigma[0] / polar.sigma[s - 1];
        EXPECT_NEAR(pi, polar.sigma.sum(), rounding);
        EXPECT_NEAR(test::polar(root * H).sigma.sum(), polar.sigma.sum(),
                    std::sqrt(epsilon));  // the root of an eigenvalue that is rounding
        EXPECT_NEAR(inner(H, Phi * polar.W), pi, rounding);
        for (std::uint64_t turn = 1; turn <= 20; ++turn) {
          const Matrix W = test::random_orthonormal(p, s, 100 * seed + turn);
          EXPECT_LE(inner(H, Phi * W), pi - 1e-3 * (W - polar.W).squaredNorm() * polar.sigma[s - 1]);
        }
      }
}

// If there are fewer feature dimensions than components, no W is orthonormal, and the maximum is over W'W <= I.
TEST(PropFlGstar, WithFewerDimensionsThanComponentsTheMaximumIsOverContractions) {
  constexpr Index n = 20, p = 2, s = 3;
  const Matrix Phi = features(n, p, 10, 3), G = Phi * Phi.transpose(), H = random_normal(n, s, 4);
  const double pi = evaluate_dual(H, G * H, ranked).root.trace_root(), rounding = 100 * n * epsilon * H.norm();
  const test::Polar polar = test::polar(Phi.transpose() * H);
  EXPECT_NEAR(pi, polar.sigma.sum(), rounding);
  EXPECT_NEAR(inner(H, Phi * polar.W), pi, rounding);
  EXPECT_NEAR((polar.W.transpose() * polar.W).trace(), p, 100 * epsilon);  // an orthonormal W would give s
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    EXPECT_LT(inner(H, Phi * test::random_orthonormal(s, p, seed).transpose()), pi);
}

// Compares the gradient with fourth-order differences. The step is a hundredth of the distance to the next H of lower
// rank, so their error is 4 s 1e-8 |G^{1/2} D| by Cauchy's bound for the fifth derivative.
TEST(PropGradientSpectralNorm, GradientEqualsDifferencesForEveryConditioning) {
  constexpr Index n = 25, s = 4;
  for (const double condition : {1.0, 1e2, 1e4, 1e6, 1e8})
    for (const double grading : {1.0, 1e-1, 1e-2}) {  // ratio of neighbouring columns of H
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Matrix Phi = features(n, n, condition, seed), G = Phi * Phi.transpose();
        Matrix H = random_normal(n, s, seed + 50);
        const double even = spread(test::polar(Phi.transpose() * H).sigma);
        for (Index j = 0; j < s; ++j) H.col(j) *= std::pow(grading, static_cast<double>(j));
        const Matrix Y = evaluate_dual(H, G * H, {}).Y;
        const Vector sigma = test::polar(Phi.transpose() * H).sigma;
        for (std::uint64_t turn = 0; turn < 3; ++turn) {
          const Matrix D = random_normal(n, s, 100 * seed + turn);
          const double length = test::polar(Phi.transpose() * D).sigma[0], h = 0.01 * sigma[s - 1] / length;
          const auto pi = [&](double a) { return test::polar(Phi.transpose() * (H + a * D)).sigma.sum(); };
          const double slope = (8 * (pi(h) - pi(-h)) - (pi(2 * h) - pi(-2 * h))) / (12 * h);
          // Rounding of the differences, divided by h, and of S = H'GH. Columns of different sizes do not disturb each
          // other, but for columns of equal size the bound contains the square of their spread.
          const double bound = length * s * (4e-8 + 10 * n * epsilon * (100 * spread(sigma) + even * even));
          EXPECT_NEAR(inner(Y, D), slope, bound) << condition << " " << grading;
          EXPECT_LT(bound, 1e-3 * length);  // otherwise the test could miss an error of one percent
        }
      }
    }
}

// Where an eigenvalue of H'GH is zero, pi has a kink: it rises on both sides. There Y, computed with the
// pseudo-inverse, is a subgradient.
TEST(PropGradientSpectralNorm, AtASingularPointThereIsASubgradientAndNoGradient) {
  constexpr Index n = 20, s = 3;
  const Matrix Phi = features(n, n, 100, 1), G = Phi * Phi.transpose();
  Matrix H = random_normal(n, s, 2), D = Matrix::Zero(n, s);
  H.col(2).setZero();
  D.col(2) = random_normal(n, 1, 3);
  const auto pi = [&](const Matrix& M) { return evaluate_dual(M, G * M, ranked).root.trace_root(); };
  const Matrix Y = evaluate_dual(H, G * H, ranked).Y;
  const double a = 1e-4;
  EXPECT_GT((pi(H + a * D) - pi(H)) / a, 0.1);
  EXPECT_GT((pi(H - a * D) - pi(H)) / a, 0.1);
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const double size : {1e-3, 1.0}) {
      const Matrix K = H + size * random_normal(n, s, seed);
      EXPECT_GE(pi(K), pi(H) + inner(Y, K - H) - 100 * n * epsilon * pi(H));
    }
}

// H = U sqrt(Lambda) of the top eigenvectors. In the case of rank 5 < s, the columns beyond the rank are zero.
TEST(PropOptimalSvdDual, NoOtherPointIsLowerThanTheTopEigenvectors) {
  constexpr Index n = 30, s = 6;
  for (const Index p : {n, Index{10}, Index{5}}) {
    const Matrix Phi = features(n, p, 1e3, 11), G = Phi * Phi.transpose();
    const test::SymmetricEigen eigen(G);
    const Vector values = eigen.eigenvalues().reverse().cwiseMax(0);
    const Matrix U = eigen.eigenvectors().rowwise().reverse();
    Matrix H = U.leftCols(s) * values.head(s).cwiseSqrt().asDiagonal();
    if (p < s) H.rightCols(s - p).setZero();
    const auto d = [&](const Matrix& M) { return evaluate_dual(M, G * M, ranked).value; };
    const double optimum = -0.5 * values.head(s).sum(), rounding = 10 * n * epsilon * values[0];
    EXPECT_NEAR(d(H), optimum, rounding);
    EXPECT_LE((H - evaluate_dual(H, G * H, ranked).Y).norm(), rounding * values[0] / values[std::min(s, p) - 1]);
    EXPECT_NEAR(d(H * test::random_orthonormal(s, s, 1)), optimum, rounding);  // so the solution is not unique
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
      for (const double size : {1e-5, 1e-3, 0.1, 1.0, 10.0}) {
        EXPECT_GE(d(H + size * random_normal(n, s, seed)), optimum - rounding);
        EXPECT_GE(d(H + size * G * random_normal(n, s, seed)), optimum - rounding);
        EXPECT_GE(d(size * random_normal(n, s, seed)), optimum - rounding);
      }
    for (Index k = s; k < p; ++k)  // d rises by 1/2 (1 - lambda_k / lambda_s) a^2 towards the other eigenvectors
      EXPECT_GT(d(H + 0.01 * U.col(k) * Vector::Unit(s, s - 1).transpose()), optimum + rounding);
    const auto gram = make_precomputed_gram(G, Precision::float64, 1);
    for (const SolverName name : {SolverName::dense, SolverName::krylov, SolverName::lbfgs})
      EXPECT_NEAR(solve(*gram, s, {.name = name, .tol = 1e-13}).dual_objective, optimum, 1e-10);
  }
}

struct Mapped {
  const char* name;
  KernelParams kernel;
  Matrix (*map)(const Matrix&);
};

constexpr double gamma_of_poly = 0.7, coef0_of_poly = 0.5;

// (gamma x'y + c)^2 = sum over i, j of gamma x_i x_j gamma y_i y_j + 2 gamma c x'y + c^2
Matrix quadratic(const Matrix& X) {
  const Index d = X.cols();
  Matrix Phi(X.rows(), d * d + d + 1);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < d; ++j)
      for (Index k = 0; k < d; ++k) Phi(i, j * d + k) = gamma_of_poly * X(i, j) * X(i, k);
    Phi.row(i).segment(d * d, d) = std::sqrt(2 * gamma_of_poly * coef0_of_poly) * X.row(i);
    Phi(i, d * d + d) = coef0_of_poly;
  }
  return Phi;
}
Matrix identity(const Matrix& X) { return X; }

class PropositionProjections : public testing::TestWithParam<std::tuple<Mapped, bool>> {
 protected:
  static constexpr Index n = 40, d = 5, s = 3;
  const Mapped mapped = std::get<0>(GetParam());
  const bool center = std::get<1>(GetParam());
  const Matrix X = make_rows(n, 1), X_new = make_rows(15, 2);
  const Vector mean = center ? Vector(mapped.map(X).colwise().mean().transpose()) : Vector::Zero(mapped.map(X).cols());
  const Matrix Phi = mapped.map(X).rowwise() - mean.transpose();
  const Matrix Phi_new = mapped.map(X_new).rowwise() - mean.transpose();
  const Matrix G = Phi * Phi.transpose();
  const test::SymmetricEigen eigen{Phi.transpose() * Phi};
  const Matrix V = eigen.eigenvectors().rowwise().reverse().leftCols(s);  // the principal directions
  const double scale = (Phi_new * V).norm();

  static Matrix make_rows(Index rows, std::uint64_t seed) {
    Matrix X_made = random_normal(rows, d, seed).array() + 0.3;
    for (Index k = 0; k < d; ++k) X_made.col(k) *= std::pow(0.7, static_cast<double>(k));
    return X_made;
  }
  // Returns G_x' H (H'GH)^{-1/2} for every new row x.
  [[nodiscard]] Matrix formula(const Matrix& H) const {
    const Matrix inverse_root = test::SymmetricEigen(H.transpose() * G * H).inverse_root();
    return Phi_new * Phi.transpose() * H * inverse_root;
  }
};

TEST_P(PropositionProjections, TheFormulaProjectsOnThePrincipalDirections) {
  const auto gram = make_precomputed_gram(G, Precision::float64, 1);
  for (const SolverName name : {SolverName::dense, SolverName::lbfgs, SolverName::krylov}) {
    const Matrix H = solve(*gram, s, {.name = name, .tol = 1e-22}).H;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Matrix R = test::random_orthonormal(s, s, seed);
      const Matrix scores = formula(H * R);
      // H R is a solution for every R, and R rotates the scores. So they belong to one basis of the directions, not to
      // every solution of the primal problem. Only the Gram matrix of the scores is the same for all solutions.
      EXPECT_LE((scores * scores.transpose() - Phi_new * V * V.transpose() * Phi_new.transpose()).norm(),
                1e-9 * scale * scale);
      EXPECT_GT((scores.cwiseAbs() - (Phi_new * V).cwiseAbs()).norm(), 0.1 * scale);
      // The basis that belongs to H R is the polar factor of Phi'HR.
      EXPECT_LE((scores - Phi_new * test::polar(Phi.transpose() * H * R).W).norm(), 1e-12 * n * scale);
    }
  }
}

TEST_P(PropositionProjections, TransformProjectsOnThePrincipalDirections) {
  for (const SolverName name : {SolverName::dense, SolverName::lbfgs, SolverName::krylov}) {
    const KernelPCA pca = KernelPCA({.n_components = s,
                                     .kernel = mapped.kernel,
                                     .center = center,
                                     .solver = {.name = name, .tol = 1e-22},
                                     .precision = Precision::float64})
                              .fit(X);
    const Matrix found = pca.transform(X_new);
    for (Index j = 0; j < s; ++j) {
      const Vector training = Phi * V.col(j), expected = Phi_new * V.col(j);
      Index first = 0;
      training.cwiseAbs().maxCoeff(&first);
      EXPECT_LE((found.col(j) - (training[first] > 0 ? 1 : -1) * expected).norm(), 1e-9 * scale) << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    ExplicitFeatures, PropositionProjections,
    testing::Combine(
        testing::Values(Mapped{"linear", {.name = KernelName::linear}, identity},
                        Mapped{"poly",
                               {.name = KernelName::poly, .gamma = gamma_of_poly, .degree = 2, .coef0 = coef0_of_poly},
                               quadratic}),
        testing::Bool()),
    [](const auto& p) {
      return std::string(std::get<0>(p.param).name) + (std::get<1>(p.param) ? "_centred" : "_uncentred");
    });

// If eigenvalues s and s + 1 are equal, solutions of the dual have different spans. Then even the Gram matrix of the
// scores differs from that of a given solution of the primal problem.
TEST(PropositionProjectionsOfATie, TwoSolutionsOfTheDualProjectOnDifferentDirections) {
  constexpr Index n = 12;
  const Matrix U = test::random_orthonormal(n, 3, 1);
  const Vector values{{4, 2, 2}};
  const Matrix G = U * values.asDiagonal() * U.transpose();
  const auto scores = [&](Index second) {
    Matrix H(n, 2);
    H << 2 * U.col(0), std::sqrt(2.0) * U.col(second);
    const DualEvaluation at = evaluate_dual(H, G * H, ranked);
    EXPECT_NEAR(at.value, -3, 100 * epsilon);  // the optimal value
    return Matrix(at.Y * at.Y.transpose());
  };
  EXPECT_GT((scores(1) - scores(2)).norm(), 1);
}

}  // namespace
}  // namespace dualkpca::propositions_test
