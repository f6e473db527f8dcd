#include "rows/inverse_rows.hpp"

#include <fmt/format.h>

#include "process/output.hpp"

namespace dualkpca::app {

void add_inverse_options(CLI::App& app, InverseOptions& options, const std::string& data, const std::string& noise) {
  add_rows_options(app, options.rows, data, "the rows");
  add_preimage_options(app, options.preimage, "that of the model, else auto");
  add_noise(app, options.preimage, noise);
}

void say_inverse_written(const InverseOptions& options, const KernelPCA& model, Index rows) {
  const std::string& output = options.rows.output;
  if (!options.rows.quiet) print(is_standard_output(output) ? stderr : stdout, preimage_text(model));
  say_written(output, options.rows.quiet, fmt::format("{} rows written to {}\n", rows, output));
}

}  // namespace dualkpca::app
