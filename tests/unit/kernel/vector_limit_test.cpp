#include "kernel/vector_limit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace dualkpca::vector_limit_test {
namespace {

constexpr std::array<std::string_view, 5> widest_first = {"avx512", "avx2", "sse4", "ssse3", "scalar"};

auto rank(std::string_view name) { return std::find(widest_first.begin(), widest_first.end(), name); }

TEST(VectorLimit, TheTargetHasAName) { EXPECT_NE(rank(vector_math::vector_target()), widest_first.end()); }

TEST(VectorLimit, NothingWiderThanWhatWasAskedForRuns) {
  const char* wanted = std::getenv("DUALKPCA_VECTORS");
  const bool known = wanted != nullptr && rank(wanted) != widest_first.end();
  EXPECT_EQ(vector_math::vectors_are_limited, known);
  if (!known) return;
  EXPECT_GE(rank(vector_math::vector_target()), rank(wanted)) << vector_math::vector_target();
}

// The limit is read when the program starts, so the test starts this program again for each name.
TEST(VectorLimit, EveryNameIsFollowed) {
  if (std::getenv("DUALKPCA_VECTORS") != nullptr) GTEST_SKIP() << "runs in the child of itself, or under a limit";
  const std::string self = std::string("/proc/") + std::to_string(::getpid()) + "/exe";
  for (const std::string_view name : widest_first) {
    const std::string command =
        "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX -u GTEST_OUTPUT DUALKPCA_VECTORS=" + std::string(name) + " " +
        self + " --gtest_filter=VectorLimit.NothingWider* --gtest_brief=1 >/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
  }
}

}  // namespace
}  // namespace dualkpca::vector_limit_test
