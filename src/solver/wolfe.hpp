#pragma once

#include <optional>

#include "dualkpca/objective/dual_objective.hpp"

namespace dualkpca {

/// Returns a step a > 0 that satisfies the strong Wolfe conditions phi(a) <= phi(0) + c1 a phi'(0), |phi'(a)| <= c2
/// |phi'(0)| (Nocedal and Wright, algorithms 3.5 and 3.6); a = 1 is tried first. Returns no value if the slope of
/// `start` is not negative or rounding hides the descent.
[[nodiscard]] std::optional<double> wolfe_step(const DualLine& line, DualLine::Point start);

}  // namespace dualkpca
