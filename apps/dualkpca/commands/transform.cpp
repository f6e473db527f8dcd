#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "process/exit_codes.hpp"
#include "process/output.hpp"
#include "rows/write_rows.hpp"
#include "rows/write_table.hpp"

namespace dualkpca::app {
namespace {

int run_transform(RowsOptions options) {
  const KernelPCA model = open_model(options);
  const Index components = model.report().n_components;
  const Index rows = write_rows(
      options, input_of(model),
      [&](const std::vector<std::string>&) { return TableLayout{.columns = component_names(components)}; },
      [&](const SamplesView& X) { return model.transform(X, options.read.threads); });
  say_written(options.output, options.quiet,
              fmt::format("{} scores of {} rows written to {}\n", components, rows, options.output));
  return done;
}

}  // namespace

Command setup_transform(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("transform", "Computes the scores of new rows under a fitted model.")->group("Commands");
  const auto options = std::make_shared<RowsOptions>();
  add_rows_options(*parser, *options, "DATA", "the scores");
  parser->footer(
      "The score of a row on a component is the coordinate of the row along that component.\n\n"
      "Example:\n  dualkpca transform iris.safetensors new.csv --label-col species -o scores.csv");
  return {parser, [options] { return run_transform(*options); }};
}

}  // namespace dualkpca::app
