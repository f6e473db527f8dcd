#include "stop_signal.hpp"

#include <atomic>

namespace dualkpca::app {
namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

void raise_flag(int) {
  stop = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

StopSignal::StopSignal() {
  stop = false;
  struct sigaction action {};
  action.sa_handler = raise_flag;
  action.sa_flags = SA_RESTART;  // reads and writes under way are none of its business
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
}

StopSignal::~StopSignal() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

bool StopSignal::requested() const { return stop; }

}  // namespace dualkpca::app
