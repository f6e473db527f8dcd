#pragma once

#include <csignal>

namespace dualkpca::app {

/// While it lives, a first SIGINT or SIGTERM only raises a flag, and a second one ends the process as usual.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  [[nodiscard]] bool requested() const;

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
};

}  // namespace dualkpca::app
