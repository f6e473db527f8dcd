#include <memory>

#include "commands/commands.hpp"
#include "dualkpca/core/threads.hpp"
#include "process/exit_codes.hpp"
#include "process/stop_signal.hpp"
#include "rows/inverse_rows.hpp"
#include "rows/write_rows.hpp"

namespace dualkpca::app {
namespace {

// Learns an inverse transform for the noise on the first rows, unless the model has one or the user has chosen it.
void prepare_inverse(KernelPCA& model, InverseOptions& options, const SamplesView& first_rows,
                     const Observer& observe) {
  const PreimageParams& wanted = options.preimage.params;
  const bool takes_noise = wanted.compatibility == PreimageCompatibility::none &&
                           model.params().kernel.name != KernelName::linear &&
                           (wanted.method == PreimageMethod::automatic || wanted.method == PreimageMethod::ridge);
  const bool is_settled = model.inverse_report() != nullptr && !options.preimage.is_given;
  if (takes_noise && !is_settled && !options.preimage.noise) options.preimage.noise = model.noise_level(first_rows);
  learn_inverse(model, options.preimage, options.rows.read.threads, nullptr, observe);
}

int run_denoise(InverseOptions options) {
  KernelPCA model = open_model(options.rows);
  const int threads = options.rows.read.threads;
  set_blas_threads(threads);
  const StopSignal stop;
  bool is_prepared = false;
  const auto denoise = [&](const SamplesView& X) {
    if (!is_prepared) prepare_inverse(model, options, X, [&](const Progress&) { return !stop.requested(); });
    is_prepared = true;
    return model.denoise(X, threads);
  };
  const auto layout_of = [&](const std::vector<std::string>& names) {
    return TableLayout{.columns = names, .cols = model.report().n_features};
  };
  say_inverse_written(options, model, write_rows(options.rows, input_of(model), layout_of, denoise));
  return done;
}

}  // namespace

Command setup_denoise(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("denoise", "Denoises rows by projection onto the components of a fitted model.")
                         ->group("Commands");
  const auto options = std::make_shared<InverseOptions>();
  add_inverse_options(*parser, *options, "DATA", "auto: by the rows");
  parser->footer(
      "The part of a row that the components do not describe is removed; noise is most of it.\n\n"
      "Example:\n  dualkpca denoise digits.safetensors noisy.csv -o clean.csv");
  return {parser, [options] { return run_denoise(*options); }};
}

}  // namespace dualkpca::app
