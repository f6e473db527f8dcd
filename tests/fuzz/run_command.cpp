#include "run_command.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <stdexcept>

#include "memory_file.hpp"

/// The main() of apps/dualkpca/main.cpp. It is compiled under this name.
int dualkpca_main(int argc, char** argv);

/// Sets the file that the sanitizers print to. It is missing in builds without sanitizers.
extern "C" [[gnu::weak]] void __sanitizer_set_report_fd(void* descriptor);

namespace dualkpca::fuzz {
namespace running {

// Replaces a standard stream by another file during its lifetime.
class Redirected {
 public:
  Redirected(int stream, int file) : stream_(stream), saved_(::fcntl(stream, F_DUPFD_CLOEXEC, 100)) {
    if (saved_ < 0 || ::dup2(file, stream) < 0) throw std::runtime_error("cannot redirect a stream");
  }
  ~Redirected() {
    ::dup2(saved_, stream_);
    ::close(saved_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;
  [[nodiscard]] int saved() const { return saved_; }

 private:
  int stream_, saved_;
};

class InFolder {
 public:
  explicit InFolder(const std::string& folder) : before_(::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (before_ < 0 || ::chdir(folder.c_str()) != 0) throw std::runtime_error("cannot enter " + folder);
  }
  ~InFolder() {
    if (::fchdir(before_) != 0) std::abort();
    ::close(before_);
  }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  int before_;
};

void (*handler_before)(int) = SIG_DFL;
volatile std::sig_atomic_t is_interrupted = 0;

// Interrupts the command once, while it handles SIGINT itself. At other times, or a second time, SIGINT would end the
// fuzzer.
void interrupt(int) {
  struct sigaction action {};
  sigaction(SIGINT, nullptr, &action);
  if (is_interrupted != 0 || action.sa_handler == SIG_DFL || action.sa_handler == handler_before) return;
  is_interrupted = 1;
  raise(SIGINT);
}

// Calls interrupt() repeatedly during its lifetime. It has a timer of its own, because libFuzzer uses SIGALRM.
class Watch {
 public:
  Watch() {
    struct sigaction action {};
    sigaction(SIGINT, nullptr, &action);
    handler_before = action.sa_handler;
    is_interrupted = 0;
    std::signal(SIGRTMIN, interrupt);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) throw std::runtime_error("no timer");
    const timespec patience{0, 300'000'000};
    const itimerspec every{patience, patience};
    timer_settime(timer_, 0, &every, nullptr);
  }
  ~Watch() { timer_delete(timer_); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  timer_t timer_{};
};

}  // namespace running

CommandResult run_command(const std::vector<std::string>& arguments, const std::string& folder) {
  using namespace running;
  std::vector<std::string> words = {"dualkpca"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const MemoryFile errors("");
  CommandResult result;
  {
    const InFolder in_folder(folder);
    const Redirected in(STDIN_FILENO, nothing), out(STDOUT_FILENO, nothing), err(STDERR_FILENO, errors.descriptor());
    if (__sanitizer_set_report_fd != nullptr)
      __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(err.saved())));  // NOLINT
    const Watch watch;
    result.exit_code = dualkpca_main(static_cast<int>(words.size()), argv.data());
    std::fflush(stdout);
  }
  if (__sanitizer_set_report_fd != nullptr) __sanitizer_set_report_fd(reinterpret_cast<void*>(2));  // NOLINT
  ::close(nothing);
  result.errors = errors.read();
  return result;
}

}  // namespace dualkpca::fuzz
