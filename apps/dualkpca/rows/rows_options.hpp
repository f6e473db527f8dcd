#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "dualkpca/dualkpca.hpp"

namespace dualkpca::app {

/// Options of the commands that apply a model to rows, block by block.
struct RowsOptions {
  std::string model{}, data{}, output = "-";
  ReadOptions read{};
  bool quiet = false;
};

/// Adds the arguments MODEL and `data`, --output for `what`, the options of reading, --threads and --quiet.
void add_rows_options(CLI::App& app, RowsOptions& options, const std::string& data, const std::string& what);

/// Resolves the number of threads, checks that the output can be created, and loads the model.
[[nodiscard]] KernelPCA open_model(RowsOptions& options);

/// Runs `use`, which not every model supports. An InvalidArgument that it throws gets the name of the model in front,
/// unless its message names an option.
void with_model_name(const RowsOptions& options, const std::function<void()>& use);

}  // namespace dualkpca::app
