#pragma once

#include <string>
#include <vector>

namespace dualkpca::fuzz {

struct CommandResult {
  int exit_code = 0;
  std::string errors{};  ///< text on standard error
};

/// Runs the command in this process, in `folder`, without standard input and output. A run that takes longer than a
/// third of a second is interrupted as by Ctrl-C, because a fit without limits may take very long.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& arguments, const std::string& folder);

}  // namespace dualkpca::fuzz
