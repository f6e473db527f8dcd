#pragma once

#include <algorithm>
#include <functional>

#include "dualkpca/core/threads.hpp"
#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Returns the number of threads, at most `threads`, that are worth waking: one for less than a millisecond of work.
[[nodiscard]] inline int useful_threads(Index multiply_adds, int threads) {
  constexpr Index millisecond = 20'000'000;
  return multiply_adds > millisecond ? threads : 1;
}

/// Runs body(task, thread) for task 0..count-1 on the calling thread and team - 1 others; see parallel_for().
void run_tasks(Index count, int team, const std::function<void(Index, int)>& body);

/// Runs body(task, thread) for task 0..count-1 on up to `threads` threads, with BLAS held at one thread. Tasks are
/// handed out one at a time, in order. The calling thread is thread 0 and takes part. It waits only for tasks that
/// others have begun: if other programs keep the processors busy, it runs all tasks itself. The first exception ends
/// the loop and is rethrown to the caller.
template <class Body>
void parallel_for(Index count, int threads, const Body& body) {
  const BlasThreadGuard one_blas_thread;
  const int team = static_cast<int>(std::min<Index>(threads, count));
  if (team > 1) {
    run_tasks(count, team, body);
    return;
  }
  for (Index task = 0; task < count; ++task) body(task, 0);
}

/// Runs body(first, count, thread) for blocks of at most `block` of the numbers 0..n-1, as parallel_for() does.
template <class Body>
void parallel_blocks(Index n, Index block, int threads, const Body& body) {
  parallel_for((n + block - 1) / block, threads,
               [&](Index b, int thread) { body(b * block, std::min(block, n - b * block), thread); });
}

}  // namespace dualkpca
