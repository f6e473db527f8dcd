#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "dualkpca/core/threads.hpp"
#include "exit_codes.hpp"
#include "model_rows.hpp"
#include "output.hpp"
#include "preimage_options.hpp"

namespace dualkpca::app {
namespace {

struct InverseOptions {
  RowsOptions rows{};
  PreimageOptions preimage{};
};

int run_inverse(InverseOptions options) {
  KernelPCA model = open_model(options.rows);
  set_blas_threads(options.rows.read.threads);
  name_model(options.rows, [&] { learn_inverse(model, options.preimage, options.rows.read.threads); });
  const std::string& output = options.rows.output;
  const bool to_stdout = is_standard_output(output);
  Index count = 0;
  ignore_closed_pipe(to_stdout, [&] {
    std::unique_ptr<TableWriter> writer;
    count = for_each_block(
        options.rows, model.report().n_components, 0,
        {.begin =
             [&](Index rows, const std::vector<std::string>&) {
               writer = make_table_writer(
                   output,
                   {.cols = model.report().n_features, .rows = rows, .with_ids = options.rows.read.id_col.has_value()});
             },
         .take =
             [&](const SamplesView& scores, const std::vector<std::string>& ids) {
               writer->write(model.inverse_transform(scores, options.rows.read.threads), ids);
             }});
    writer->commit();
  });
  if (!options.rows.quiet) print(to_stdout ? stderr : stdout, preimage_text(model));
  if (!options.rows.quiet && !to_stdout) print(stdout, fmt::format("{} rows written to {}\n", count, output));
  return done;
}

}  // namespace

Command setup_inverse(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("inverse", "Rows of scores: pre-images")->group("Commands");
  const auto options = std::make_shared<InverseOptions>();
  add_rows_options(*parser, options->rows, "SCORES", "the rows");
  add_preimage_options(*parser, options->preimage, "what the model holds, else auto");
  add_noise(*parser, options->preimage, "0");
  parser->footer("Example:\n  dualkpca inverse iris.safetensors scores.csv -o rows.csv");
  return {parser, [options] { return run_inverse(*options); }};
}

}  // namespace dualkpca::app
