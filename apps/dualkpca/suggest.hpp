#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dualkpca::app {

/// "; did you mean NAME?" with the name nearest to `typed`, or nothing if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

}  // namespace dualkpca::app
