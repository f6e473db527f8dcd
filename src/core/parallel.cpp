#include "core/parallel.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace dualkpca {
namespace {

// Tasks being worked on. The job lives on the stack of the caller, who leaves when no ticket and no worker is left.
struct Job {
  const std::function<void(Index, int)>& body;
  const Index count;
  std::atomic<Index> next{0};
  std::atomic<int> names{1};  // next thread number; the caller is 0
  std::atomic<bool> failed{false};
  std::exception_ptr failure{};
  int working = 0;  // number of other threads at work; guarded by the pool's mutex

  void work(int thread) {
    while (!failed.load(std::memory_order_relaxed)) {
      const Index task = next.fetch_add(1);
      if (task >= count) return;
      try {
        body(task, thread);
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    }
  }
};

// Threads that sleep until there is a job. The threads of OpenMP spin, which on a busy machine takes time from the very
// threads they wait for. Every OpenMP region also ends with a wait for all threads, even those that have not begun.
class Pool {
 public:
  void run(Job& job, int helpers) {
    {
      const std::lock_guard lock(mutex_);
      for (int k = 0; k < helpers; ++k) tickets_.push_back(&job);
      for (; idle_ + starting_ < static_cast<int>(tickets_.size()); ++starting_)
        if (!start_thread()) break;  // the threads that already exist do the work
    }
    wake_.notify_all();
    job.work(0);
    std::unique_lock lock(mutex_);
    std::erase(tickets_, &job);
    left_.wait(lock, [&] { return job.working == 0; });
  }

 private:
  [[nodiscard]] bool start_thread() {
    try {
      std::thread([this] { serve(); }).detach();
    } catch (const std::exception&) {  // no memory for the stack, or too many processes (ulimit)
      return false;
    }
    return true;
  }
  void serve() {
    std::unique_lock lock(mutex_);
    --starting_;
    for (;;) {
      ++idle_;
      wake_.wait(lock, [&] { return !tickets_.empty(); });
      --idle_;
      Job& job = *tickets_.front();
      tickets_.pop_front();
      ++job.working;
      lock.unlock();
      job.work(job.names.fetch_add(1));
      lock.lock();
      if (--job.working == 0) left_.notify_all();
    }
  }

  std::mutex mutex_{};
  std::condition_variable wake_{}, left_{};
  std::deque<Job*> tickets_{};
  int idle_ = 0, starting_ = 0;
};

// The pool is never destroyed: its threads end with the process, whatever they are doing. A forked child has no such
// threads and requests none, see resolve_threads().
Pool& pool() {
  static Pool& instance = *new Pool;
  return instance;
}

}  // namespace

void run_tasks(Index count, int team, const std::function<void(Index, int)>& body) {
  Job job{.body = body, .count = count};
  pool().run(job, team - 1);
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace dualkpca
