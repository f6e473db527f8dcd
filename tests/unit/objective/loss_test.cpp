#include "dualkpca/objective/loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca::loss_test {
namespace {

constexpr LossName names[] = {LossName::huber, LossName::epsilon_insensitive};
constexpr Norm norms[] = {Norm::rows, Norm::entries, Norm::frobenius};

class EveryLoss : public testing::TestWithParam<std::tuple<LossName, Norm>> {
 protected:
  const Norm norm = std::get<1>(GetParam());
  const Loss loss{std::get<0>(GetParam()), norm, norm == Norm::frobenius ? 4.0 : 0.8};
  const Matrix Y = 1.3 * random_normal(7, 3, 5);

  // The norm of the loss and its dual norm. For huber, Psi is a multiple of the norm. For epsilon_insensitive, Psi
  // indicates a ball of the dual norm.
  [[nodiscard]] static double norm_of(const Matrix& M, Norm which) {
    return which == Norm::rows ? M.rowwise().norm().sum() : which == Norm::entries ? M.cwiseAbs().sum() : M.norm();
  }
  [[nodiscard]] static double dual_norm_of(const Matrix& M, Norm which) {
    return which == Norm::rows      ? M.rowwise().norm().maxCoeff()
           : which == Norm::entries ? M.cwiseAbs().maxCoeff()
                                    : M.norm();
  }
};

// Computes the prox of Psi by its definition (Table 1 of the paper). For huber, Psi = kappa |.| and its prox shrinks.
// For epsilon_insensitive, Psi indicates a ball and its prox projects onto it.
TEST_P(EveryLoss, MoreauIdentity) {
  Matrix prox_of_psi = Y;
  const auto act = [&](auto&& block) {
    const double t = block.norm(), p = loss.parameter;
    if (loss.name == LossName::huber)
      block *= t > p ? 1 - p / t : 0.0;
    else if (t > p)
      block *= p / t;
  };
  if (norm == Norm::rows)
    for (Index i = 0; i < Y.rows(); ++i) act(prox_of_psi.row(i));
  else if (norm == Norm::entries)
    for (Index i = 0; i < Y.rows(); ++i)
      for (Index j = 0; j < Y.cols(); ++j) act(prox_of_psi.block(i, j, 1, 1));
  else
    act(prox_of_psi.topRows(Y.rows()));
  EXPECT_LE((prox_of_psi + loss.prox(Y) - Y).norm(), 1e-14 * Y.norm());
}

// No other point is better than the prox, at any distance and in any direction.
TEST_P(EveryLoss, ProxMinimisesItsDefinition) {
  const Matrix Z = loss.prox(Y);
  const auto objective = [&](const Matrix& M) { return 0.5 * (M - Y).squaredNorm() + loss.conjugate(M); };
  const double best = objective(Z);
  ASSERT_TRUE(std::isfinite(best));
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const double step : {1e-6, 1e-3, 0.1, 1.0})
      EXPECT_GE(objective(Z + step * random_normal(Y.rows(), Y.cols(), seed)), best - 1e-13);
}

TEST_P(EveryLoss, ValueIsTheEnvelopeOfItsDefinition) {
  // F(Y) = min over M of 1/2 |Y - M|^2 + Psi(M), attained at prox of Psi.
  const Matrix M = Y - loss.prox(Y);
  const double psi = loss.name == LossName::huber ? loss.parameter * norm_of(M, norm) : 0;
  if (loss.name == LossName::epsilon_insensitive) {
    EXPECT_LE(dual_norm_of(M, norm), loss.parameter * (1 + 1e-14));
  }
  EXPECT_NEAR(loss.value(Y), 0.5 * (Y - M).squaredNorm() + psi, 1e-13 * loss.value(Y));
}

// F is the conjugate of 1/2 |.|^2 + Psi*: Fenchel's inequality holds everywhere, with equality at the prox.
TEST_P(EveryLoss, ValueAndConjugateAreConjugates) {
  const auto dual = [&](const Matrix& H) { return 0.5 * H.squaredNorm() + loss.conjugate(H); };
  const Matrix Z = loss.prox(Y);
  EXPECT_NEAR(loss.value(Y), Y.cwiseProduct(Z).sum() - dual(Z), 1e-13 * loss.value(Y));
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Matrix H = loss.prox(2 * random_normal(Y.rows(), Y.cols(), seed));
    EXPECT_GE(loss.value(Y), Y.cwiseProduct(H).sum() - dual(H) - 1e-13);
  }
}

TEST_P(EveryLoss, ProxIsTheGradientOfTheValue) {
  const Matrix D = random_normal(Y.rows(), Y.cols(), 8);
  const double h = 1e-6, slope = (loss.value(Y + h * D) - loss.value(Y - h * D)) / (2 * h);
  EXPECT_NEAR(loss.prox(Y).cwiseProduct(D).sum(), slope, 1e-7);
}

TEST_P(EveryLoss, LimitsAreTheSquareLoss) {
  Loss limit = loss;
  limit.parameter = loss.name == LossName::huber ? 1e9 : 0;
  EXPECT_EQ(limit.prox(Y), Y);
  EXPECT_DOUBLE_EQ(limit.value(Y), 0.5 * Y.squaredNorm());
  EXPECT_EQ(limit.conjugate(Y), 0);
}

TEST_P(EveryLoss, BeyondTheLargestSizeEpsilonLeavesNothing) {
  Loss limit = loss;
  limit.parameter = largest(Y, norm);
  EXPECT_EQ(limit.prox(Y).isZero(0), loss.name == LossName::epsilon_insensitive);
}

INSTANTIATE_TEST_SUITE_P(All, EveryLoss, testing::Combine(testing::ValuesIn(names), testing::ValuesIn(norms)),
                         [](const auto& p) {
                           return std::string(to_string(std::get<0>(p.param))) + "_" +
                                  std::string(to_string(std::get<1>(p.param)));
                         });

TEST(Loss, SquareDoesNothing) {
  const Matrix Y = random_normal(4, 2, 1);
  EXPECT_EQ(Loss{}.prox(Y), Y);
  EXPECT_DOUBLE_EQ(Loss{}.value(Y), 0.5 * Y.squaredNorm());
  EXPECT_EQ(Loss{}.conjugate(Y), 0);
}

TEST(Loss, HuberIsInfiniteOutsideOfItsBall) {
  const Loss loss{LossName::huber, Norm::entries, 1};
  EXPECT_EQ(loss.conjugate(Matrix::Constant(2, 2, 1.0)), 0);
  EXPECT_EQ(loss.conjugate(Matrix::Constant(2, 2, 1.1)), std::numeric_limits<double>::infinity());
}

TEST(Loss, SharesOfZeros) {
  Matrix H = Matrix::Zero(4, 2);
  H(1, 0) = 1;
  EXPECT_EQ(zero_share(H, Norm::rows), 0.75);
  EXPECT_EQ(zero_share(H, Norm::entries), 7.0 / 8);
  EXPECT_EQ(sizes_of(H, Norm::rows), (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(sizes_of(H, Norm::entries).size(), 8U);
}

struct BadParams {
  LossParams params;
  const char* says;
};

TEST(LossParams, BadOnesAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const LossName huber = LossName::huber, epsilon = LossName::epsilon_insensitive;
  const BadParams cases[] = {{{.name = huber, .kappa = 0}, "kappa is 0"},
                             {{.name = huber, .kappa = -1}, "kappa is -1"},
                             {{.name = huber, .kappa = nan}, "kappa is nan"},
                             {{.name = huber, .kappa_ratio = 1.5}, "kappa_ratio is 1.5; it must be in (0, 1]"},
                             {{.name = huber, .kappa_ratio = 0}, "kappa_ratio is 0"},
                             {{.name = huber, .kappa = 1, .kappa_ratio = 0.5}, "both"},
                             {{.name = epsilon, .epsilon = -2}, "epsilon is -2"},
                             {{.name = epsilon, .epsilon = nan}, "epsilon is nan"},
                             {{.name = epsilon, .sparsity = 1}, "sparsity is 1; it must be in (0, 1)"},
                             {{.name = epsilon, .sparsity = 0}, "sparsity is 0"},
                             {{.name = epsilon, .epsilon = 1, .sparsity = 0.5}, "both"},
                             {{.name = epsilon, .kappa = 1}, "kappa belongs to loss huber"},
                             {{.name = huber, .sparsity = 0.5}, "sparsity belongs to loss epsilon_insensitive"},
                             {{.kappa_ratio = 0.5}, "kappa_ratio belongs to loss huber; the loss is square"},
                             {{.norm = Norm::entries}, "norm entries"},
                             {{.name = epsilon, .norm = Norm::frobenius, .sparsity = 0.5}, "norm frobenius"}};
  for (const BadParams& one : cases) {
    try {
      one.params.validate();
      ADD_FAILURE() << one.says;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(one.says), std::string::npos) << error.what();
    }
  }
  EXPECT_NO_THROW((LossParams{.name = huber, .kappa_ratio = 1}.validate()));
  EXPECT_NO_THROW((LossParams{.name = epsilon, .norm = Norm::frobenius, .epsilon = 1}.validate()));
}

}  // namespace
}  // namespace dualkpca::loss_test
