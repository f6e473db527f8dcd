#include <memory>

#include "commands/commands.hpp"
#include "dualkpca/core/threads.hpp"
#include "process/exit_codes.hpp"
#include "rows/inverse_rows.hpp"
#include "rows/write_rows.hpp"

namespace dualkpca::app {
namespace {

int run_inverse(InverseOptions options) {
  KernelPCA model = open_model(options.rows);
  const int threads = options.rows.read.threads;
  set_blas_threads(threads);
  with_model_name(options.rows, [&] { learn_inverse(model, options.preimage, threads); });
  const Index rows = write_rows(
      options.rows, {.cols = model.report().n_components},
      [&](const std::vector<std::string>&) { return TableLayout{.cols = model.report().n_features}; },
      [&](const SamplesView& scores) { return model.inverse_transform(scores, threads); });
  say_inverse_written(options, model, rows);
  return done;
}

}  // namespace

Command setup_inverse(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("inverse", "Computes pre-images of scores under a fitted model: rows with about these scores.")
          ->group("Commands");
  const auto options = std::make_shared<InverseOptions>();
  add_inverse_options(*parser, *options, "SCORES", "0");
  parser->footer(
      "SCORES is a table with one line of scores per row, as dualkpca transform writes it. A pre-image is an\n"
      "estimate, since an exact one rarely exists.\n\n"
      "Example:\n  dualkpca inverse iris.safetensors scores.csv -o rows.csv");
  return {parser, [options] { return run_inverse(*options); }};
}

}  // namespace dualkpca::app
