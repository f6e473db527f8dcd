#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <numeric>
#include <optional>
#include <vector>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/gram/stored.hpp"
#include "gram/reduced_center.hpp"
#include "support/csr.hpp"
#include "support/naive.hpp"

namespace dualkpca::gram_contract_test {
namespace {

enum class Backend { stored, sparse, precomputed };
constexpr std::array backend_names = {"stored", "sparse", "precomputed"};

enum class Center { origin, mean, few_rows };
constexpr std::array center_names = {"_", "_centered_", "_reduced_"};

struct Case {
  Backend backend;
  Precision precision;
  Center center;
  Index n;  // sizes around the tile size of 512
};

const test::KernelCase rbf{KernelName::rbf, 0.4, 1, 0};

// Rows and weights of a centre on few rows. With n = 1 the three are one row, which has the sum of the weights.
std::vector<Index> center_rows(Index n) { return {n / 2, n - 1, 0}; }
const Vector center_weights{{0.7, -0.4, 0.5}};

using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// An operator with the data that it refers to.
struct Held {
  Matrix X, K{};
  Floats x{};
  CsrRows<float> narrow{};
  CsrRows<double> wide{};
  std::unique_ptr<GramOperator> gram{};
};

std::shared_ptr<GramOperator> make(const Case& c, const Matrix& X, int threads) {
  const auto held = std::make_shared<Held>(Held{.X = X});
  const Index n = X.rows(), d = X.cols();
  const std::shared_ptr<const Kernel> kernel = make_kernel(rbf.name, rbf.gamma, 1, 0);
  const bool narrow = c.precision == Precision::float32;
  if (c.backend == Backend::precomputed) {
    held->K = test::naive_kernel_matrix(rbf, X, X);
    held->gram = make_precomputed_gram(held->K, c.precision, threads);
  } else if (c.backend == Backend::sparse) {
    held->gram = narrow ? make_stored_gram(kernel, (held->narrow = test::csr_of<float>(X)).view(), threads)
                        : make_stored_gram(kernel, (held->wide = test::csr_of(X)).view(), threads);
  } else {
    held->x = X.cast<float>();
    held->gram = narrow ? make_stored_gram(kernel, DenseRows<float>{held->x.data(), n, d, d}, threads)
                        : make_stored_gram(kernel, DenseRows<double>{held->X.data(), n, d, d}, threads);
  }
  if (c.center == Center::mean) held->gram = std::make_unique<CenteredGram>(std::move(held->gram));
  if (c.center == Center::few_rows)
    held->gram = std::make_unique<ReducedCenterGram>(std::move(held->gram), center_rows(n), center_weights);
  return {held, held->gram.get()};
}

Matrix naive_gram(const Case& c, const Matrix& K) {
  if (c.center == Center::mean) return test::naive_centered(K);
  return c.center == Center::origin ? K
                                    : test::naive_centered_at(K, test::spread(c.n, center_rows(c.n), center_weights));
}

class GramContract : public testing::TestWithParam<Case> {
 protected:
  const Case c = GetParam();
  // Half of the entries are zero, so sparse rows have gaps.
  const Matrix X = random_normal(c.n, 6, 1).unaryExpr([](double v) { return v > 0 ? v : 0; });
  const Matrix K = test::naive_kernel_matrix(rbf, test::rounded(X, c.precision), test::rounded(X, c.precision));
  const Matrix G = naive_gram(c, K);
  // The matrix of uncentered(), and the number of columns of K that a centre on few rows needs.
  const Matrix uncentered = c.center == Center::mean ? K : G;
  const Index columns_of_center = c.center == Center::few_rows ? 3 : 0;
  // A product sums n entries of size at most 1, in float64 over tiles of 512.
  const double bound = 20 * epsilon_of(c.precision) * std::sqrt(static_cast<double>(c.n)) * 22;
};

TEST_P(GramContract, ProductOfAnyWidthEqualsTheNaiveOne) {
  const auto gram = make(c, X, 2);
  for (const Index w : {1, 20, 33, 130}) {
    const Matrix V = random_normal(c.n, w, 2);
    Matrix GV(c.n, w);
    gram->apply(V, GV);
    EXPECT_LE((GV - G * V).cwiseAbs().maxCoeff(), bound) << w;
  }
}

TEST_P(GramContract, DiagonalAndColumnsEqualTheNaiveOnes) {
  const auto gram = make(c, X, 2);
  EXPECT_LE((gram->diagonal() - G.diagonal()).cwiseAbs().maxCoeff(), bound);
  std::vector<Index> all(static_cast<std::size_t>(c.n));
  std::iota(all.begin(), all.end(), Index{0});
  Matrix columns(c.n, c.n);
  gram->columns(all, columns);
  EXPECT_LE((columns - G).cwiseAbs().maxCoeff(), bound);
  EXPECT_EQ(gram->counts().kernel_columns, c.n + columns_of_center);
}

TEST_P(GramContract, ExactBlocksAreFloat64InEveryPrecision) {
  const auto gram = make(c, X, 2);
  const GramOperator& base = gram->uncentered();
  EXPECT_EQ(&base != gram.get(), c.center == Center::mean);
  const Index first = c.n / 3, rows = c.n - first;
  std::vector<Index> wanted(static_cast<std::size_t>(rows));
  std::iota(wanted.begin(), wanted.end(), first);
  const std::vector<Index> columns = {c.n - 1, 0, c.n / 2};
  Matrix block(rows, 3), centred(rows, 3);
  base.exact_block(wanted, columns, block);
  gram->exact_block(wanted, columns, centred);
  // A precomputed matrix keeps its float64 entries, but rows are rounded first.
  const Matrix seen = c.backend == Backend::precomputed ? X : test::rounded(X, c.precision);
  const Matrix seen_K = test::naive_kernel_matrix(rbf, seen, seen);
  const Matrix exact = c.center == Center::mean ? seen_K : naive_gram(c, seen_K);
  for (Index j = 0; j < 3; ++j) {
    const Index column = columns[static_cast<std::size_t>(j)];
    EXPECT_LE((block.col(j) - exact.col(column).tail(rows)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LE((centred.col(j) - G.col(column).tail(rows)).cwiseAbs().maxCoeff(), bound);
  }
  EXPECT_EQ(gram->counts().kernel_columns, (2 * rows * 3 + c.n - 1) / c.n + columns_of_center);
}

TEST_P(GramContract, ColumnsBeforeTheFirstProductAreThoseAfterIt) {
  const auto gram = make(c, X, 2);
  const std::vector<Index> chosen = {c.n / 2, c.n - 1};
  Matrix before(c.n, 2), after(c.n, 2), GV(c.n, 3);
  gram->uncentered().columns(chosen, before);
  EXPECT_EQ(gram->counts().stored, c.n < 5 || c.backend == Backend::precomputed);
  gram->apply(random_normal(c.n, 3, 2), GV);
  EXPECT_TRUE(gram->counts().stored);
  gram->uncentered().columns(chosen, after);
  EXPECT_LE((before - after).cwiseAbs().maxCoeff(), 2 * epsilon_of(c.precision));
  EXPECT_EQ(gram->counts().kernel_columns, 4 + columns_of_center);
}

TEST_P(GramContract, ManyColumnsAreTakenFromTheTiles) {
  const auto gram = make(c, X, 2);
  std::vector<Index> half(static_cast<std::size_t>((c.n + 1) / 2));
  std::iota(half.begin(), half.end(), Index{0});
  Matrix columns(c.n, (c.n + 1) / 2);
  gram->uncentered().columns(half, columns);
  EXPECT_TRUE(gram->counts().stored);
  EXPECT_TRUE(gram->counts().assembly_seconds > 0 || c.n < 512);  // less work may take less than one tick of the clock
  EXPECT_EQ(gram->counts().products, 0);
  EXPECT_LE((columns - uncentered.leftCols((c.n + 1) / 2)).cwiseAbs().maxCoeff(), bound);
}

TEST_P(GramContract, TheFirstProductEqualsALaterOneBitForBit) {
  const Index w = 11;
  const Matrix V = random_normal(c.n, w, 2);
  const auto gram = make(c, X, 2), later = make(c, X, 2);
  Matrix first(c.n, w), second(c.n, w), other(c.n, 3), third(c.n, w);
  gram->apply(V, first);
  EXPECT_TRUE(gram->counts().stored);
  EXPECT_TRUE(gram->counts().assembly_seconds > 0 || c.n < 512);  // less work may take less than one tick of the clock
  gram->apply(V, second);
  later->apply(V.leftCols(3), other);
  later->apply(V, third);
  // With a centre the first product has one more column, and the width decides the order of the sums of a tile.
  EXPECT_TRUE(c.center != Center::origin || first == second);
  EXPECT_EQ(second, third);
}

TEST_P(GramContract, ThreadsChangeRoundingOnlyAndRunsRepeatExactly) {
  const Matrix V = random_normal(c.n, 7, 3);
  Matrix one(c.n, 7), three(c.n, 7), again(c.n, 7);
  make(c, X, 1)->apply(V, one);
  make(c, X, 3)->apply(V, three);
  make(c, X, 3)->apply(V, again);
  EXPECT_EQ(three, again);
  // The tiles are equal; only the order of float64 sums differs.
  EXPECT_LE((one - three).cwiseAbs().maxCoeff(), 1e-13 * static_cast<double>(c.n));
}

TEST_P(GramContract, CountsItsWork) {
  const auto gram = make(c, X, 2);
  Matrix GV(c.n, 5);
  gram->apply(random_normal(c.n, 5, 4), GV);
  gram->apply(random_normal(c.n, 5, 5), GV);
  EXPECT_EQ(gram->counts().products, 2);
  EXPECT_EQ(gram->counts().product_columns,
            10 + (c.center == Center::origin ? 0 : 1));  // the first product has one more column for the centre
  (void)gram->diagonal();
  EXPECT_EQ(gram->counts().products, 2);
}

TEST_P(GramContract, WorksInAForkedChildOfAThreadedParent) {
  const auto gram = make(c, X, 2);
  const Matrix V = random_normal(c.n, 2, 6);
  Matrix GV(c.n, 2);
  gram->apply(V, GV);  // the parent's OpenMP threads exist now
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(300);  // ends the child if it hangs; the test takes about a second on slow machines
    Matrix mine(c.n, 2);
    make(c, X, resolve_threads(2))->apply(V, mine);
    _exit((mine - GV).cwiseAbs().maxCoeff() <= 1e-12 * static_cast<double>(c.n) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Backend backend : {Backend::stored, Backend::sparse, Backend::precomputed})
    for (const Precision precision : {Precision::float32, Precision::float64})
      for (const Center center : {Center::origin, Center::mean, Center::few_rows})
        for (const Index n : {1, 5, 512, 700}) cases.push_back({backend, precision, center, n});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(EveryBackend, GramContract, testing::ValuesIn(all_cases()), [](const auto& p) {
  const Case& c = p.param;
  return std::string(backend_names[static_cast<std::size_t>(c.backend)]) +
         center_names[static_cast<std::size_t>(c.center)] + std::string(to_string(c.precision)) + "_" +
         std::to_string(c.n);
});

TEST(StoredGram, TakesTwoBytesPerEntryOfTheMatrixInFloat32) {
  const double n = 15000;
  EXPECT_LE(static_cast<double>(stored_gram_bytes(15000, Precision::float32)), 2.2 * n * n);
  EXPECT_GE(static_cast<double>(stored_gram_bytes(15000, Precision::float32)), 2.0 * n * n);
}

// Only the calling thread asks the observer. It asks even if the other threads leave no tile to it.
TEST(StoredGram, ObserverCanStopTheFirstProductWhichMayBeAskedForAgain) {
  const Matrix X = random_normal(2000, 3, 1), V = random_normal(2000, 2, 2);
  Matrix GV(2000, 2);
  const DenseRows<double> rows{X.data(), 2000, 3, 3};
  constexpr int more_threads_than_tiles = 64;
  double stops_at = 0;
  std::vector<double> asked;
  const auto gram = make_stored_gram(make_kernel(KernelName::rbf, 1, 1, 0), rows, more_threads_than_tiles,
                                     [&](const Progress& progress) {
                                       EXPECT_EQ(progress.stage, Progress::Stage::gram);
                                       asked.push_back(progress.fraction);
                                       return progress.fraction < stops_at;
                                     });
  EXPECT_TRUE(asked.empty()) << "nothing is evaluated yet";
  EXPECT_THROW(gram->apply(V, GV), Interrupted);
  EXPECT_EQ(asked, std::vector<double>{0}) << "before the first tile";
  stops_at = 1e-9;
  EXPECT_THROW(gram->apply(V, GV), Interrupted);
  EXPECT_GT(asked.back(), 0) << "after a tile";
  EXPECT_FALSE(gram->counts().stored);
  stops_at = 2;
  gram->apply(V, GV);
  EXPECT_EQ(asked.back(), 1);
  EXPECT_EQ(gram->counts().products, 1);
  asked.clear();
  gram->apply(V, GV);
  EXPECT_TRUE(asked.empty()) << "later products have nothing to evaluate";
}

// Returns the virtual memory of this process in bytes.
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(StoredGram, TakesNoMemoryForTilesBeforeTheFirstProduct) {
  const Index n = 30000;  // the tiles would have 1.9 GB
  const Matrix X = random_normal(n, 3, 1);
  const std::shared_ptr<const Kernel> kernel = make_kernel(KernelName::rbf, 1, 1, 0);
  const std::size_t before = address_space();
  const auto gram = make_stored_gram(kernel, DenseRows<double>{X.data(), n, 3, 3}, 1);
  Matrix column(n, 1);
  const std::vector<Index> first = {0};
  gram->columns(first, column);
  Matrix entry(1, 1);
  gram->exact_block(first, first, entry);
  EXPECT_LE(address_space(),
            before + stored_gram_bytes(n, Precision::float64) / 10);  // the address space may shrink, too
}

TEST(StoredGram, RefusesValuesBeyondFloat32) {
  const Matrix X = Matrix::Constant(4, 2, 1e10);
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> x = X.cast<float>();
  const std::shared_ptr<const Kernel> kernel = make_kernel(KernelName::poly, 1, 3, 0);
  EXPECT_THROW((void)make_stored_gram(kernel, DenseRows<float>{x.data(), 4, 2, 2}, 1), DataError);
  EXPECT_NO_THROW((void)make_stored_gram(kernel, DenseRows<double>{X.data(), 4, 2, 2}, 1));
}

TEST(PrecomputedGram, RefusesWhatIsNoGramMatrix) {
  EXPECT_THROW((void)make_precomputed_gram(Matrix(random_normal(3, 4, 1)), Precision::float64, 1), DataError);
  Matrix K = Matrix::Identity(3, 3);
  K(2, 0) = 0.5;
  EXPECT_THROW((void)make_precomputed_gram(K, Precision::float64, 1), DataError);
}

}  // namespace
}  // namespace dualkpca::gram_contract_test
