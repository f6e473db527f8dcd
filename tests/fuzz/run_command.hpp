#pragma once

#include <string>
#include <vector>

namespace dualkpca::fuzz {

struct CommandResult {
  int exit_code = 0;
  std::string errors{};  ///< what it wrote to standard error
};

/// Runs the command in this process, in `folder`, without standard input and output. A run that does not end within a
/// third of a second is interrupted as by Ctrl-C: a fit without limits may take as long as it likes.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& arguments, const std::string& folder);

}  // namespace dualkpca::fuzz
