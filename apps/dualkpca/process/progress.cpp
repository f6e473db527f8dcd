#include "process/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace dualkpca::app {
namespace {

constexpr auto redraw_after = std::chrono::milliseconds(100);
constexpr int width = 30;

std::string bar(double fraction) {
  const int filled = std::clamp(static_cast<int>(fraction * width), 0, width);
  return fmt::format("[{:#<{}}{:.<{}}]", "", filled, "", width - filled);
}

// Returns the share of the solve that is done. eta falls by factors, so the share is measured in logarithms.
double solved_fraction(double tol, double first, double now) {
  if (!(tol > 0 && first > tol && now > 0)) return 0;
  return std::clamp(std::log(first / now) / std::log(first / tol), 0.0, 1.0);
}

}  // namespace

ProgressBar::ProgressBar(bool enabled) : enabled_(enabled && isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

std::string ProgressBar::describe(const Progress& progress) const {
  if (progress.stage == Progress::Stage::solve && std::isnan(progress.eta))  // unknown before the end
    return fmt::format("solve: product {}", progress.iteration);
  if (progress.stage == Progress::Stage::solve)
    return fmt::format("solve {} iteration {}, eta {:.1e}, tol {:.1e}",
                       bar(solved_fraction(progress.tol, first_eta_, progress.eta)), progress.iteration, progress.eta,
                       progress.tol);
  if (progress.stage == Progress::Stage::inverse) return "learning the inverse transform";
  const char* name = progress.stage == Progress::Stage::read ? "read " : "gram ";
  return fmt::format("{} {} {:3.0f} %", name, bar(progress.fraction), 100 * progress.fraction);
}

void ProgressBar::show(const Progress& progress) {
  if (!enabled_) return;
  if (progress.stage == Progress::Stage::solve && !(first_eta_ > 0)) first_eta_ = progress.eta;
  const Clock::time_point now = Clock::now();
  if (drawn_ && progress.stage == stage_) {
    if (now - last_ < redraw_after) return;
    if (progress.fraction == 0 && fraction_ > 0)
      return;  // a wait for a pipe reports fraction 0, since its length is unknown
  }
  drawn_ = true;
  stage_ = progress.stage;
  fraction_ = progress.fraction;
  last_ = now;
  fmt::print(stderr, "\r{}\x1b[K", describe(progress));
  std::fflush(stderr);
}

Observer observe_with(ProgressBar& bar, const StopSignal& stop) {
  return [&](const Progress& progress) {
    bar.show(progress);
    return !stop.requested();
  };
}

}  // namespace dualkpca::app
