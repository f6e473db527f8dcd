#include "process/stop_signal.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string_view>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/write.hpp"

namespace dualkpca::app {
namespace {

constexpr unsigned patience = 10;  // seconds

std::atomic<int> received{0};             // number of the signal, 0 for none
std::atomic<unsigned long> checks{0};     // how often the work has polled
std::atomic<unsigned long> last_sign{0};  // signs_of_life() when the alarm last rang
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<unsigned long>::is_always_lock_free,
              "a signal handler may not wait for a lock");

unsigned long signs_of_life() { return checks + OutputFile::blocks_written(); }

// The functions from here on run in signal handlers, so they call only what is allowed there.
void say(std::string_view text) { static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size())); }

void when_stopped(int signal) {
  const int error = errno;
  if (received.exchange(signal) != 0) {
    OutputFile::remove_temporaries();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  last_sign = signs_of_life();
  ::alarm(patience);
  errno = error;
}

void when_the_alarm_rings(int) {
  if (last_sign.exchange(signs_of_life()) != signs_of_life()) {
    ::alarm(patience);
    return;
  }
  OutputFile::remove_temporaries();
  if (::isatty(STDERR_FILENO) != 0) say("\r\x1b[K");  // wipes the progress bar
  say("dualkpca: stopped: no answer to the signal within 10 seconds; nothing more was written\n");
  _exit(StopSignal::exit_code());
}

}  // namespace

StopSignal::StopSignal() {
  received = 0;
  struct sigaction action {};
  action.sa_flags = SA_RESTART;  // restarts reads and writes that a signal has interrupted
  action.sa_handler = when_the_alarm_rings;
  sigaction(SIGALRM, &action, &alarm_);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  action.sa_handler = when_stopped;
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
}

StopSignal::~StopSignal() {
  if (received != 0) ::alarm(0);  // without a signal, a pending alarm is not ours
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  sigaction(SIGALRM, &alarm_, nullptr);
}

int StopSignal::exit_code() { return 128 + (received != 0 ? received.load() : SIGINT); }

bool StopSignal::requested() const {
  checks.fetch_add(1, std::memory_order_relaxed);
  return received != 0;
}

void StopSignal::throw_if_requested() const {
  if (requested()) throw Interrupted("interrupted; nothing was written");
}

}  // namespace dualkpca::app
