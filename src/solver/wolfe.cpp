#include "solver/wolfe.hpp"

#include <algorithm>
#include <cmath>

namespace dualkpca {
namespace {

constexpr double c1 = 1e-4;
constexpr double c2 = 0.1;  // tight, because a trial costs O(s^3) and a product O(n^2 s)
constexpr int max_trials = 40;

struct Trial {
  double a;
  DualLine::Point phi;
};

// Returns the minimiser of the cubic through both ends of the bracket (Nocedal and Wright 3.59), kept off its ends.
double interpolate(const Trial& lo, const Trial& hi) {
  const double d1 = lo.phi.slope + hi.phi.slope - 3 * (lo.phi.value - hi.phi.value) / (lo.a - hi.a);
  const double square = d1 * d1 - lo.phi.slope * hi.phi.slope;
  const double left = std::min(lo.a, hi.a), width = std::abs(hi.a - lo.a);
  double a = left + width / 2;
  if (square >= 0) {
    const double d2 = std::copysign(std::sqrt(square), hi.a - lo.a);
    const double cubic = hi.a - (hi.a - lo.a) * (hi.phi.slope + d2 - d1) / (hi.phi.slope - lo.phi.slope + 2 * d2);
    if (std::isfinite(cubic)) a = cubic;
  }
  return std::clamp(a, left + 0.05 * width, left + 0.95 * width);
}

}  // namespace

std::optional<double> wolfe_step(const DualLine& line, DualLine::Point start) {
  if (!(start.slope < 0)) return std::nullopt;
  // Near the optimum the decrease is lost in the rounding of phi, and only the slopes can be trusted (Hager and Zhang's
  // approximate Wolfe conditions).
  const double rounding = 1e-14 * std::abs(start.value);
  const auto decreases = [&](const Trial& t) { return t.phi.value <= start.value + c1 * t.a * start.slope + rounding; };
  const auto flat = [&](const Trial& t) { return std::abs(t.phi.slope) <= -c2 * start.slope; };

  Trial previous{0, start};
  Trial trial{1, line.at(1)};
  int trials = 1;
  for (; decreases(trial) && trial.phi.slope < 0; ++trials) {  // still going down: look further
    if (flat(trial)) return trial.a;
    if (trials == max_trials) return trial.a;
    previous = trial;
    trial.a *= 2;
    trial.phi = line.at(trial.a);
  }
  if (decreases(trial) && flat(trial)) return trial.a;
  Trial lo = previous, hi = trial;  // a minimum lies between them; lo always decreases and points towards hi
  for (; trials < max_trials; ++trials) {
    const double a = interpolate(lo, hi);
    const Trial middle{a, line.at(a)};
    if (!decreases(middle) || middle.phi.value > lo.phi.value + rounding) {
      hi = middle;
      continue;
    }
    if (flat(middle)) return middle.a;
    if (middle.phi.slope * (hi.a - lo.a) >= 0) hi = lo;
    lo = middle;
  }
  if (lo.a > 0) return lo.a;
  return std::nullopt;
}

}  // namespace dualkpca
