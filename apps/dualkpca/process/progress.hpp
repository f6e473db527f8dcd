#pragma once

#include <chrono>
#include <string>

#include "dualkpca/core/observer.hpp"
#include "process/stop_signal.hpp"

namespace dualkpca::app {

/// A line on standard error that is redrawn during the work and wiped at the end. It is drawn only if `enabled` and if
/// standard error is a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(bool enabled);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string describe(const Progress& progress) const;
  bool enabled_;
  bool drawn_ = false;
  double first_eta_ = 0;  ///< the first eta of the solver
  Progress::Stage stage_ = Progress::Stage::gram;
  double fraction_ = 0;  ///< the last fraction drawn
  Clock::time_point last_{};
};

/// Returns an observer that shows progress in `bar` and ends the work once a signal has come. Both must outlive it.
[[nodiscard]] Observer observe_with(ProgressBar& bar, const StopSignal& stop);

}  // namespace dualkpca::app
