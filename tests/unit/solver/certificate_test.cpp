#include "solver/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/small_eigen.hpp"
#include "dualkpca/core/random.hpp"
#include "support/decompositions.hpp"
#include "support/naive.hpp"

namespace dualkpca::certificate_test {
namespace {

Matrix orthonormal(const Matrix& V) { return test::orthonormal(V); }

// A basis of some Krylov steps, its products plus noise of the given size, and the exact values.
struct Problem {
  Matrix Q{}, D{};
  BasisSpectrum spectrum{};
  Matrix Z{};
  double sum_of_largest = 0, outside = 0;
  Index s = 0;
};

Problem make_problem(std::uint64_t seed, double noise) {
  std::mt19937_64 random(seed);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const Index n = pick(20, 60), s = pick(1, 6), steps = pick(1, 3), block = s + pick(0, 3);
  Vector values(n);
  const int kind = pick(0, 4);
  for (Index i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    values[i] = kind == 0   ? 2 - x / static_cast<double>(n)
                : kind == 1 ? std::pow(0.7, x)
                : kind == 2 ? (i < 2 * s ? 3 : 1 / (1 + x))
                : kind == 3 ? 1 + (i < s ? 0.05 : 0)
                            : 1 / ((1 + x) * (1 + x));
  }
  const Matrix G = test::with_spectrum(values, seed + 1);
  Matrix K = random_normal(n, block, seed + 2), all(n, 0);
  for (Index step = 0; step < steps; ++step) {
    Matrix wider(n, all.cols() + block);
    wider << all, orthonormal(K);
    all = wider;
    K = G * wider.rightCols(block);
  }
  Problem p;
  p.s = s;
  p.Q = orthonormal(all);
  p.D = noise * random_normal(n, p.Q.cols(), seed + 3);
  const Matrix GQ = G * p.Q + p.D, QT = p.Q.transpose() * GQ;
  const SmallEigen eigen = small_eigen(QT);
  p.Z = eigen.vectors;
  const Matrix R = GQ - p.Q * (0.5 * (QT + QT.transpose()));
  p.spectrum = {.theta = eigen.values, .residual = p.Z.transpose() * R.transpose() * R * p.Z};
  p.sum_of_largest = test::eigenvalues_descending(G).head(s).sum();
  const Matrix I = Matrix::Identity(n, n) - p.Q * p.Q.transpose();
  p.outside = std::max(0.0, test::eigenvalues_descending(I * G * I)[0]);
  return p;
}

TEST(ResidualExcess, IsTheLargestSumOverAllSharesOfTheResidual) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  for (int problem = 0; problem < 50; ++problem) {
    Vector theta(4);
    for (double& value : theta) value = 3 * uniform(random);
    const double b = 2 * uniform(random), rho = std::pow(10, -4 * uniform(random));
    const double bound = residual_excess(theta, b, rho);
    double best = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      Vector x(4);
      for (double& value : x) value = std::pow(uniform(random), 3);
      x *= rho * rho / x.sum();
      const Vector half = 0.5 * (theta.array() - b);
      best = std::max(best, ((half.array().square() + x.array()).sqrt() - half.array()).sum());
    }
    EXPECT_GE(bound, best * (1 - 1e-9));
    EXPECT_LE(bound, best * 1.1 + 1e-12);
    // The bound is never above these closed forms.
    const double gap = theta.minCoeff() - b;
    if (gap > 0) {
      EXPECT_LE(bound, rho * rho / gap * (1 + 1e-9));
    }
    EXPECT_LE(bound, (b - theta.array()).max(0.0).sum() + 2 * rho + 1e-12);
  }
}

TEST(LoewnerExcess, IsNeverBelowWhatTheBasisMisses) {
  std::vector<double> ratios;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Problem p = make_problem(seed, 0);
    const double missing = p.sum_of_largest - p.spectrum.sum(p.s), excess = loewner_excess(p.spectrum, p.s, p.outside);
    EXPECT_GE(excess, missing - 1e-11 * p.sum_of_largest) << seed;
    if (missing > 1e-9) ratios.push_back(excess / missing);
  }
  std::nth_element(ratios.begin(), ratios.begin() + ratios.size() / 2, ratios.end());
  EXPECT_LT(ratios[ratios.size() / 2], 3);  // the bound is not much larger than the true value
}

TEST(LoewnerExcess, HoldsWithTheRoundingOfProductsWhereTheRawBoundDoesNot) {
  int raw_violations = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem p = make_problem(1000 + seed, std::pow(10.0, -3 - static_cast<double>(seed % 5)));
    const Matrix U = p.Q * p.Z.leftCols(p.s), DU = p.D * p.Z.leftCols(p.s);
    const ProductErrors errors{.ritz = DU.norm(),
                               .coupling = DU.norm() + 0.5 * (p.D.transpose() * U).norm(),
                               .spectral = 2 * std::sqrt(test::eigenvalues_descending(p.D.transpose() * p.D)[0])};
    // The variance that the directions explain of the exact G, not of the noisy products.
    const double sum = p.spectrum.sum(p.s), exact = sum - U.cwiseProduct(DU).sum();
    const double error = 1 - exact / p.sum_of_largest;
    if (eta_of_excess(sum, loewner_excess(p.spectrum, p.s, p.outside), p.s) < error - 1e-13) ++raw_violations;
    EXPECT_GE(eta_of_excess(sum, loewner_excess(p.spectrum, p.s, p.outside, errors), p.s, errors), error - 1e-13)
        << seed;
  }
  EXPECT_GT(raw_violations, 0);
}

TEST(EtaOfExcess, HasSenseAtTheEdges) {
  EXPECT_EQ(eta_of_excess(0, 0, 3), 0);
  EXPECT_EQ(eta_of_excess(0, 1, 3), 1);
  EXPECT_EQ(eta_of_excess(1, std::numeric_limits<double>::infinity(), 3), 1);
  EXPECT_DOUBLE_EQ(eta_of_excess(3, 1, 3), 0.25);
}

}  // namespace
}  // namespace dualkpca::certificate_test
