#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "model_rows.hpp"
#include "output.hpp"
#include "scores.hpp"

namespace dualkpca::app {
namespace {

// Returns how many rows there were.
Index write_scores(const RowsOptions& options, const KernelPCA& model) {
  std::unique_ptr<TableWriter> writer;
  const FitReport& report = model.report();
  const Index samples = for_each_block(options, report.n_features, model.params().lags,
                                       {.begin =
                                            [&](Index count, const std::vector<std::string>&) {
                                              writer = make_score_writer(options.output, count, report.n_components,
                                                                         options.read.id_col.has_value());
                                            },
                                        .take =
                                            [&](const SamplesView& X, const std::vector<std::string>& ids) {
                                              writer->write(model.transform(X, options.read.threads), ids);
                                            }});
  writer->commit();
  return samples;
}

int run_transform(RowsOptions options) {
  const KernelPCA model = open_model(options);
  const bool to_stdout = is_standard_output(options.output);
  Index rows = 0;
  ignore_closed_pipe(to_stdout, [&] { rows = write_scores(options, model); });
  if (!options.quiet && !to_stdout)
    print(stdout,
          fmt::format("{} scores of {} rows written to {}\n", model.report().n_components, rows, options.output));
  return done;
}

}  // namespace

Command setup_transform(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("transform", "Scores of new rows under a fitted model")->group("Commands");
  const auto options = std::make_shared<RowsOptions>();
  add_rows_options(*parser, *options, "DATA", "the scores");
  parser->footer("Example:\n  dualkpca transform iris.safetensors new.csv --label-col species -o scores.csv");
  return {parser, [options] { return run_transform(*options); }};
}

}  // namespace dualkpca::app
