#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "dualkpca/core/threads.hpp"
#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Threads that are worth waiting for, of `threads`: one for less than a millisecond of work. Threads that wait for one
/// another spin, and where other programs want the processors they wait for longer than such work takes.
[[nodiscard]] inline int useful_threads(Index multiply_adds, int threads) {
  constexpr Index millisecond = 20'000'000;
  return multiply_adds > millisecond ? threads : 1;
}

/// Runs body(task, thread) for task 0..count-1 on `threads` OpenMP threads, handing tasks out one at a time, with BLAS
/// held at one thread. The calling thread is thread 0. The first exception ends the loop and is thrown to the caller:
/// none may leave an OpenMP region.
template <class Body>
void parallel_for(Index count, int threads, const Body& body) {
  const BlasThreadGuard one_blas_thread;
  std::exception_ptr failure;
  std::mutex failure_mutex;
  std::atomic<bool> failed{false};
  // A thread without a task would only be waited for.
  const int team = static_cast<int>(std::min<Index>(threads, std::max<Index>(1, count)));
#pragma omp parallel for schedule(dynamic, 1) num_threads(team) if (team > 1)
  for (Index task = 0; task < count; ++task) {
    if (failed.load(std::memory_order_relaxed)) continue;
    try {
      body(task, omp_get_thread_num());
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace dualkpca
