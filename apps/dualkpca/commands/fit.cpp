#include <fmt/format.h>

#include <limits>
#include <memory>

#include "commands/commands.hpp"
#include "dualkpca/dualkpca.hpp"
#include "options/fit_options.hpp"
#include "options/option_messages.hpp"
#include "options/preimage_options.hpp"
#include "options/read_options.hpp"
#include "process/check_outputs.hpp"
#include "process/error_context.hpp"
#include "process/exit_codes.hpp"
#include "process/output.hpp"
#include "process/progress.hpp"
#include "process/stop_signal.hpp"
#include "rows/fit_data.hpp"
#include "rows/write_table.hpp"

namespace dualkpca::app {
namespace {

struct FitOptions {
  KernelPCAParams params{};
  PreimageOptions preimage{};
  ReadOptions read{};
  std::string data{}, output{}, json{}, scores{};
  bool quiet = false;

  [[nodiscard]] bool wants_inverse() const { return preimage.is_given || preimage.noise; }
  [[nodiscard]] bool results_on_stdout() const {
    return is_standard_output(output) || is_standard_output(json) || is_standard_output(scores);
  }
};

void add_file_options(CLI::App& app, FitOptions& options) {
  app.option_defaults()->group("Files");
  app.add_option("DATA", options.data, data_help)->required()->type_name("");
  app.add_option("-o,--output", options.output, "file for the model")->required()->type_name("MODEL");
  app.add_option("--json", options.json,
                 "write the report of the fit here as JSON, - for standard output (default: not written)")
      ->type_name("FILE");
  app.add_option("--scores", options.scores,
                 "write the scores of DATA here, in the format of its extension (default: not written)")
      ->type_name("FILE");
  add_read_options(app, options.read);
  add_n_features(app, options.read);
  app.add_flag("--quiet", options.quiet, "print nothing but errors (default: print plan, progress and summary)");
}

// Checks all that can be checked before the data are read.
void validate(const FitOptions& options) {
  options.params.validate(std::numeric_limits<Index>::max());
  if (options.wants_inverse()) options.preimage.params.validate(options.params);
  if (options.output.empty()) throw InvalidArgument("--output: the name of the file is empty");
  check_outputs({{"DATA", options.data}},
                {{"--output", options.output}, {"--json", options.json}, {"--scores", options.scores, true}});
}

void fit_observed(KernelPCA& model, const Dataset& data, const FitOptions& options, const StopSignal& stop) {
  ProgressBar bar(!options.quiet);
  try {
    with_data_context(options.data, [&] { model.fit(data.samples.view(), observe_with(bar, stop), data.ids); });
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}: {}", options.data, error.what()));
  }
}

// Returns the reason if the inverse transform could not be learnt or was interrupted, else "". The fit is kept anyway.
std::string try_inverse(KernelPCA& model, const FitOptions& options, const SamplesView& X, const StopSignal& stop) {
  ProgressBar bar(!options.quiet);
  try {
    learn_inverse(model, options.preimage, options.params.threads, &X, observe_with(bar, stop));
  } catch (const Error& error) {
    return speak_of_option(error.what());
  }
  return "";
}

void write_files(const FitOptions& options, const KernelPCA& model, std::vector<std::string> ids) {
  if (!ids.empty()) ids.erase(ids.begin(), ids.begin() + options.params.lags);  // with lags they have no samples
  model.save(options.output);
  if (!options.scores.empty()) write_table(options.scores, component_names(model.scores().cols()), model.scores(), ids);
  if (!options.json.empty()) write_text(options.json, report_json(model));
}

// The message says that the fit succeeded and only writing failed, since the fit may have taken long.
void write_results(const FitOptions& options, const KernelPCA& model, const std::vector<std::string>& ids) {
  try {
    ignore_closed_pipe(options.results_on_stdout(), [&] { write_files(options, model, ids); });
  } catch (const ResourceError& error) {
    throw ResourceError(fmt::format("after the fit: {}", error.what()));
  } catch (const DataError& error) {
    throw DataError(fmt::format("after the fit: {}", error.what()));
  }
}

int run_fit(FitOptions options) {
  validate(options);
  share_resources(options.params.threads, options.params.memory, options.read);
  const auto say = [&](const std::string& text) {
    if (!options.quiet) print(options.results_on_stdout() ? stderr : stdout, text);
  };

  const StopSignal stop;  // a signal while the results are written must not lose them
  const Dataset data = read_with_progress(options.data, options.read, options.quiet, stop);
  const SamplesView& X = data.samples.view();
  require_fittable(X, options.data, options.read,
                   options.params.n_components.fraction > 0 ? 1 : options.params.n_components.count);
  if (options.wants_inverse() && X.is_sparse())  // checked now, not after a long fit
    throw InvalidArgument(
        fmt::format("--preimage: the rows of {} are sparse; pre-images need dense rows", options.data));
  options.params.input_memory = data.bytes;
  const MemoryPlan plan = plan_fit(options.params, X);
  say(column_names_line(data.feature_names) + plan_text(plan, X) + "\n");
  require_fits(plan, X.rows());

  KernelPCA model(options.params);
  fit_observed(model, data, options, stop);
  const std::string failure = options.wants_inverse() ? try_inverse(model, options, X, stop) : "";
  write_results(options, model, data.ids);
  const std::string target = is_standard_output(options.output) ? "standard output" : options.output;
  say(fmt::format("{}\nmodel written to {}\n", summary_text(model), target));
  if (!failure.empty()) {
    const std::string message = fmt::format("the model is written, but without an inverse transform: {}", failure);
    if (!stop.requested()) throw DataError(message);
    print(stderr, fmt::format("dualkpca: {}\n", message));
    return not_converged;
  }
  return model.report().status == Status::converged ? done : not_converged;
}

}  // namespace

Command setup_fit(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("fit", "Fits a kernel PCA model to the rows of a table and writes it to a file.")
          ->group("Commands");
  const auto options = std::make_shared<FitOptions>();
  add_file_options(*parser, *options);
  add_fit_options(*parser, options->params, FieldGroup::components);
  add_fit_options(*parser, options->params, FieldGroup::model);
  add_fit_options(*parser, options->params, FieldGroup::loss);
  add_fit_options(*parser, options->params, FieldGroup::loss_number);
  add_preimage_options(*parser, options->preimage, "none is learnt");
  add_noise(*parser, options->preimage, "0");
  add_fit_options(*parser, options->params, FieldGroup::solver);
  options->params.monitor.limits = LimitKind::automatic;
  add_fit_options(*parser, options->params, FieldGroup::monitor);
  add_fit_options(*parser, options->params, FieldGroup::resources);
  parser->footer(
      "eta is the relative error of a fit with the square loss: 1e-4 means that the components explain 99.99 %\n"
      "of what the best components explain. A certified eta is an upper bound with failure probability at most\n"
      "1e-6. For the other losses eta says how far the solution is from a critical point.\n\n"
      "T2 is Hotelling's T-squared: the squared distance of a row from the centre within the components. SPE is\n"
      "the squared prediction error: the squared distance of a row from the components. A row above a limit of\n"
      "T2 or SPE is an outlier.\n\n"
      "The summary of a robust or sparse fit lists row weights. With a bounded kernel (rbf, laplace, laplacian,\n"
      "matern32, matern52, cosine) they are not outlier scores. Look at SPE and T2 instead, which dualkpca\n"
      "score computes.\n\n"
      "Example:\n  dualkpca fit iris.csv --label-col species --n-components 2 --gamma 0.5 -o iris.safetensors");
  return {parser, [options] { return run_fit(*options); }};
}

}  // namespace dualkpca::app
