#include <unistd.h>

#include <array>
#include <csignal>
#include <string_view>

#include "dualkpca/data/read.hpp"
#include "dualkpca/data/write.hpp"
#include "process/exit_codes.hpp"

// libhdf5 crashes on some damaged or forged files, and no check beforehand can find them. Such a file is reported like
// other bad data: one line on standard error and the exit code 3. Crashes outside of libhdf5 are not handled.

namespace {

std::array<char, 1 << 16> stack;  // stack of the handler: the crash may be an overflow of the ordinary stack

// Runs in a signal handler, so it calls only what is allowed there.
void when_crashed(int signal) {
  if (!dualkpca::is_inside_hdf5()) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  dualkpca::OutputFile::remove_temporaries();
  constexpr std::string_view text = "dualkpca: the HDF5 library has crashed: the HDF5 file is damaged or forged\n";
  static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
  _exit(dualkpca::app::bad_data);
}

[[gnu::constructor]] void catch_crashes() {
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_handler = when_crashed;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

}  // namespace
