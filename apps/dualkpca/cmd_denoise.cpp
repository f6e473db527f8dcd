#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "dualkpca/core/threads.hpp"
#include "exit_codes.hpp"
#include "model_rows.hpp"
#include "output.hpp"
#include "preimage_options.hpp"
#include "stop_signal.hpp"

namespace dualkpca::app {
namespace {

struct DenoiseOptions {
  RowsOptions rows{};
  PreimageOptions preimage{};
};

// A way back that suits the noise on the first rows, unless the model or the user has settled it.
void prepare_inverse(KernelPCA& model, DenoiseOptions& options, const SamplesView& first_rows,
                     const Observer& observe) {
  const PreimageParams& wanted = options.preimage.params;
  const bool takes_noise = wanted.compatibility == PreimageCompatibility::none &&
                           model.params().kernel.name != KernelName::linear &&
                           (wanted.method == PreimageMethod::automatic || wanted.method == PreimageMethod::ridge);
  const bool is_settled = model.inverse_report() != nullptr && !options.preimage.is_given;
  if (takes_noise && !is_settled && !options.preimage.noise) options.preimage.noise = model.noise_level(first_rows);
  learn_inverse(model, options.preimage, options.rows.read.threads, nullptr, observe);
}

int run_denoise(DenoiseOptions options) {
  KernelPCA model = open_model(options.rows);
  set_blas_threads(options.rows.read.threads);
  const std::string& output = options.rows.output;
  const bool to_stdout = is_standard_output(output);
  const StopSignal stop;
  Index count = 0;
  ignore_closed_pipe(to_stdout, [&] {
    std::unique_ptr<TableWriter> writer;
    bool is_prepared = false;
    count =
        for_each_block(options.rows, model.report().n_features, model.params().lags,
                       {.begin =
                            [&](Index rows, const std::vector<std::string>& names) {
                              writer = make_table_writer(output, {.columns = names,
                                                                  .cols = model.report().n_features,
                                                                  .rows = rows,
                                                                  .with_ids = options.rows.read.id_col.has_value()});
                            },
                        .take =
                            [&](const SamplesView& X, const std::vector<std::string>& ids) {
                              if (!is_prepared)
                                prepare_inverse(model, options, X, [&](const Progress&) { return !stop.requested(); });
                              is_prepared = true;
                              writer->write(model.denoise(X, options.rows.read.threads), ids);
                            }});
    writer->commit();
  });
  if (!options.rows.quiet) print(to_stdout ? stderr : stdout, preimage_text(model));
  if (!options.rows.quiet && !to_stdout) print(stdout, fmt::format("{} rows written to {}\n", count, output));
  return done;
}

}  // namespace

Command setup_denoise(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("denoise", "New rows without what the components do not describe")->group("Commands");
  const auto options = std::make_shared<DenoiseOptions>();
  add_rows_options(*parser, options->rows, "DATA", "the rows");
  add_preimage_options(*parser, options->preimage, "what the model holds, else auto");
  add_noise(*parser, options->preimage, "auto: by the rows");
  parser->footer("Example:\n  dualkpca denoise digits.safetensors noisy.csv -o clean.csv");
  return {parser, [options] { return run_denoise(*options); }};
}

}  // namespace dualkpca::app
