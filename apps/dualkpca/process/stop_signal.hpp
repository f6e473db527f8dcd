#pragma once

#include <csignal>

namespace dualkpca::app {

/// Handler of SIGINT and SIGTERM for as long as the object exists. The first signal only sets a flag, which the work
/// polls with requested(). The process ends with the exit code 130 or 143 if the work neither polls nor writes for ten
/// seconds, since a library may be stuck. A second signal ends the process at once. Both endings remove temporary
/// files.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  [[nodiscard]] bool requested() const;
  /// Throws Interrupted if requested(). Call it only where nothing has been written yet.
  void throw_if_requested() const;
  /// Returns the exit code of a program that a signal has ended: 130 or 143.
  [[nodiscard]] static int exit_code();

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
  struct sigaction alarm_ {};
};

}  // namespace dualkpca::app
