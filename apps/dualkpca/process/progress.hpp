#pragma once

#include <chrono>
#include <string>

#include "dualkpca/core/observer.hpp"
#include "process/stop_signal.hpp"

namespace dualkpca::app {

/// One line on standard error that is drawn over and over, and wiped at the end. Draws nothing unless `enabled` and
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
  double first_eta_ = 0;  ///< the eta at the beginning of the solve
  Progress::Stage stage_ = Progress::Stage::gram;
  double fraction_ = 0;  ///< the last one drawn
  Clock::time_point last_{};
};

/// Shows progress in `bar`, and ends the work once a signal asks for that. Both must outlive the observer.
[[nodiscard]] Observer observe_with(ProgressBar& bar, const StopSignal& stop);

}  // namespace dualkpca::app
