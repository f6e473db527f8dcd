#pragma once

#include "options/preimage_options.hpp"
#include "rows/rows_options.hpp"

namespace dualkpca::app {

/// Options of the commands that write pre-images.
struct InverseOptions {
  RowsOptions rows{};
  PreimageOptions preimage{};
};

/// Adds the options of `rows` and `preimage`. `data` names the argument with the input; `noise` is the default of
/// --noise.
void add_inverse_options(CLI::App& app, InverseOptions& options, const std::string& data, const std::string& noise);

/// Prints how the pre-images were found and, unless they went to standard output, how many there are.
void say_inverse_written(const InverseOptions& options, const KernelPCA& model, Index rows);

}  // namespace dualkpca::app
