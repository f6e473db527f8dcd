#include "rows/rows_options.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/data/member_path.hpp"
#include "options/field_options.hpp"
#include "options/option_messages.hpp"
#include "options/read_options.hpp"
#include "process/check_outputs.hpp"

namespace dualkpca::app {

void add_rows_options(CLI::App& app, RowsOptions& options, const std::string& data, const std::string& what) {
  app.add_option("MODEL", options.model, "model file, written by dualkpca fit")->required()->type_name("");
  app.add_option(data, options.data, data_help)->required()->type_name("");
  app.add_option("-o,--output", options.output,
                 fmt::format("file for {}, format by extension (default: CSV on standard output)", what))
      ->type_name("FILE");
  add_read_options(app, options.read);
  add_threads(app, options.read.threads);
  app.add_flag("--quiet", options.quiet,
               fmt::format("print nothing but errors and {} (default: say what was written)", what));
}

KernelPCA open_model(RowsOptions& options) {
  options.read.threads = resolve_threads(options.read.threads);
  check_outputs({{"MODEL", options.model}, {"DATA", split_member_path(options.data).file}},
                {{"--output", options.output, true}});
  return KernelPCA::load(options.model);
}

void with_model_name(const RowsOptions& options, const std::function<void()>& use) {
  try {
    use();
  } catch (const InvalidArgument& error) {
    const std::string text = speak_of_option(error.what());
    throw InvalidArgument(text == error.what() ? fmt::format("{}: {}", options.model, text) : text);
  }
}

}  // namespace dualkpca::app
