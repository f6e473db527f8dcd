#pragma once

#include <csignal>

namespace dualkpca::app {

/// While it lives, a first SIGINT or SIGTERM only raises a flag, which the work asks for with requested(). A process
/// whose work does not ask, and writes nothing, for ten seconds is ended with the exit code 130 or 143: a library may
/// be stuck. A second signal ends the process at once. Both remove temporary files.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  [[nodiscard]] bool requested() const;
  /// Throws Interrupted if requested(), for work that leaves nothing behind.
  void throw_if_requested() const;
  /// For a program that ends because of the signal: 130 or 143.
  [[nodiscard]] static int exit_code();

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
  struct sigaction alarm_ {};
};

}  // namespace dualkpca::app
