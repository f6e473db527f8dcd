#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dualkpca/core/timer.hpp"

namespace dualkpca {

/// Seconds by stage of a fit, and in all.
class StageClock {
 public:
  /// Ends the running stage under this name and begins the next.
  void end(const char* stage) {
    seconds_.emplace_back(stage, std::max(0.0, stage_.seconds() - moved_));
    stage_ = Timer();
    moved_ = 0;
  }
  /// Moves so many seconds of the running stage to the one before.
  void move_back(double seconds) {
    seconds_.back().second += seconds;
    moved_ += seconds;
  }
  /// Time left of a limit. Positive even if the limit has passed, because 0 means no limit; 0 if there is no limit.
  [[nodiscard]] double left_of(double limit) const { return limit > 0 ? std::max(1e-9, limit - all_.seconds()) : 0; }
  /// Timer that started with the fit.
  [[nodiscard]] const Timer& since_start() const { return all_; }
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }

 private:
  Timer all_, stage_;
  double moved_ = 0;
  std::vector<std::pair<std::string, double>> seconds_{};
};

}  // namespace dualkpca
