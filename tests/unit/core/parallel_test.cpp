#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dualkpca::parallel_test {
namespace {

TEST(ParallelFor, DoesEveryTaskOnceWithThreadsOfItsTeam) {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> done(1000);
    parallel_for(1000, threads, [&](Index task, int thread) {
      EXPECT_GE(thread, 0);
      EXPECT_LT(thread, threads);
      ++done[static_cast<std::size_t>(task)];
    });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, ThrowsTheFirstExceptionAndGoesOnWorking) {
  for (int round = 0; round < 20; ++round)
    EXPECT_THROW(parallel_for(50, 4,
                              [](Index task, int) {
                                if (task == 7) throw std::runtime_error("seven");
                              }),
                 std::runtime_error);
  std::atomic<Index> sum{0};
  parallel_for(100, 4, [&](Index task, int) { sum += task; });
  EXPECT_EQ(sum, 4950);
}

TEST(ParallelFor, MayBeNestedAndCalledFromManyThreads) {
  std::atomic<Index> sum{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        parallel_for(4, 3, [&](Index, int) { parallel_for(5, 2, [&](Index task, int) { sum += task; }); });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 50 * 4 * 10);
}

TEST(ParallelFor, TheCallerIsThreadZero) {
  const auto caller = std::this_thread::get_id();
  parallel_for(200, 3, [&](Index, int thread) { EXPECT_EQ(thread == 0, std::this_thread::get_id() == caller); });
}

}  // namespace
}  // namespace dualkpca::parallel_test
