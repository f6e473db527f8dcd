#pragma once

#include <string>
#include <vector>

namespace dualkpca::app {

/// Returns "; did you mean NAME?" with the name that `typed` begins or is nearest to. Returns "" if none is near.
[[nodiscard]] std::string did_you_mean(std::string typed, const std::vector<std::string>& names);

}  // namespace dualkpca::app
