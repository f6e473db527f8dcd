#include <gtest/gtest.h>

#include <thread>

#include "core/parallel.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"

namespace dualkpca::core_test {
namespace {

TEST(ParseBytes, ReadsSizesAsPeopleWriteThem) {
  EXPECT_EQ(parse_bytes("100000"), 100000U);
  EXPECT_EQ(parse_bytes("4k"), 4096U);
  EXPECT_EQ(parse_bytes("512M"), 512U << 20);
  EXPECT_EQ(parse_bytes("8G"), 8ULL << 30);
  EXPECT_EQ(parse_bytes("1.5GiB"), 3ULL << 29);
  EXPECT_EQ(parse_bytes("2GB"), 2ULL << 30);
  for (const char* bad : {"", "G", "-1G", "0", "8X", "8 G", "nan", "1e30G"})
    EXPECT_THROW((void)parse_bytes(bad), InvalidArgument) << bad;
}

TEST(FormatBytes, UsesTheLargestUnit) {
  EXPECT_EQ(format_bytes(512), "512 bytes");
  EXPECT_EQ(format_bytes(3ULL << 29), "1.50 GiB");
}

TEST(Memory, FiguresArePlausible) {
  EXPECT_GT(available_memory(), 1U << 20);
  EXPECT_GT(peak_memory(), 1U << 20);
}

TEST(Random, SameSeedSameNumbers) {
  EXPECT_EQ(random_normal(3, 4, 5), random_normal(3, 4, 5));
  EXPECT_NE(random_normal(3, 4, 5), random_normal(3, 4, 6));
  const std::vector<Index> subset = random_subset(100, 10, 1);
  EXPECT_EQ(subset, random_subset(100, 10, 1));
  EXPECT_EQ(subset.size(), 10U);
  EXPECT_TRUE(std::is_sorted(subset.begin(), subset.end()));
  EXPECT_EQ(std::adjacent_find(subset.begin(), subset.end()), subset.end());
  EXPECT_EQ(random_subset(5, 10, 1).size(), 5U);
}

TEST(BlasThreads, OverlappingGuardsRestoreTheHostsCount) {
  if (blas_threads() == 0) GTEST_SKIP() << "this BLAS has no thread setter";
  const int host = blas_threads();
  set_blas_threads(2);
  if (blas_threads() != 2) GTEST_SKIP() << "this BLAS has one thread";
  auto first = std::make_unique<BlasThreadGuard>();
  auto second = std::make_unique<BlasThreadGuard>();
  EXPECT_EQ(blas_threads(), 1);
  first.reset();  // two fits may end in any order, so the guards do, too
  EXPECT_EQ(blas_threads(), 1);
  second.reset();
  EXPECT_EQ(blas_threads(), 2);
  set_blas_threads(host);
}

TEST(ParallelFor, RunsEveryTaskOnce) {
  std::vector<int> runs(100);
  parallel_for(100, 3, [&](Index task, int thread) {
    EXPECT_LT(thread, 3);
    ++runs[static_cast<std::size_t>(task)];
  });
  EXPECT_EQ(runs, std::vector<int>(100, 1));
}

TEST(ParallelFor, HandsAnExceptionToTheCaller) {
  EXPECT_THROW(parallel_for(50, 2,
                            [](Index task, int) {
                              if (task == 7) throw DataError("seven");
                            }),
               DataError);
}

TEST(ResolveThreads, TakesARequestAndDefaultsToTheProcessors) {
  EXPECT_EQ(resolve_threads(3), 3);
  EXPECT_GE(resolve_threads(0), 1);
}

}  // namespace
}  // namespace dualkpca::core_test
