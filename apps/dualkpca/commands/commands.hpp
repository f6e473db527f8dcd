#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace dualkpca::app {

/// A subcommand. `run` is called if the command line chose `parser`, and returns the exit code.
struct Command {
  CLI::App* parser;
  std::function<int()> run;
};

[[nodiscard]] Command setup_fit(CLI::App& app);
[[nodiscard]] Command setup_transform(CLI::App& app);
[[nodiscard]] Command setup_inverse(CLI::App& app);
[[nodiscard]] Command setup_denoise(CLI::App& app);
[[nodiscard]] Command setup_score(CLI::App& app);
[[nodiscard]] Command setup_convert(CLI::App& app);
[[nodiscard]] Command setup_info(CLI::App& app);
[[nodiscard]] Command setup_path(CLI::App& app);
[[nodiscard]] Command setup_check(CLI::App& app);

}  // namespace dualkpca::app
