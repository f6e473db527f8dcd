#pragma once

#include <string>
#include <vector>

namespace dualkpca::app {

/// "; did you mean NAME?" with the name that `typed` begins or is nearest to, or nothing if none is near.
[[nodiscard]] std::string did_you_mean(std::string typed, const std::vector<std::string>& names);

}  // namespace dualkpca::app
