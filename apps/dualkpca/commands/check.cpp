#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/dualkpca.hpp"
#include "options/field_options.hpp"
#include "options/option_values.hpp"
#include "options/read_options.hpp"
#include "process/check_outputs.hpp"
#include "process/error_context.hpp"
#include "process/exit_codes.hpp"
#include "process/output.hpp"
#include "process/progress.hpp"
#include "process/stop_signal.hpp"
#include "rows/fit_data.hpp"

namespace dualkpca::app {
namespace {

struct CheckOptions {
  CheckParams params{};
  ReadOptions read{};
  std::string model{}, data{}, json{};
  bool quiet = false;
};

int run_check(CheckOptions options) {
  check_outputs({{"MODEL", options.model}, {"DATA", options.data}}, {{"--json", options.json}});
  share_resources(options.params.threads, options.params.memory, options.read);
  const KernelPCA model = KernelPCA::load(options.model);
  if (model.report().nonzeros) options.read.n_features = model.report().n_features;
  const StopSignal stop;
  const Dataset data = read_with_progress(options.data, options.read, options.quiet, stop);
  options.params.input_memory = data.bytes;
  const CheckReport report = with_data_context(options.data, [&] {
    ProgressBar bar(!options.quiet);
    return model.check(data.samples.view(), options.params, observe_with(bar, stop));
  });
  const bool on_stdout = is_standard_output(options.json);
  if (!options.json.empty()) ignore_closed_pipe(on_stdout, [&] { write_text(options.json, check_json(report)); });
  if (!options.quiet) print(on_stdout ? stderr : stdout, check_text(report));
  return report.status == Status::converged ? done : not_converged;
}

}  // namespace

Command setup_check(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("check", "Bounds the error of a fitted model, given the rows that it was fitted to.")
          ->group("Commands");
  const auto options = std::make_shared<CheckOptions>();
  parser->add_option("MODEL", options->model, "model file, written by dualkpca fit")->required()->type_name("");
  parser->add_option("DATA", options->data, "file with the rows that the model was fitted to")
      ->required()
      ->type_name("");
  add_value(*parser, "--tol", "ETA",
            "largest eta that passes the check (default: the tolerance of the fit, at least 1e-9)",
            [options](const std::string& text) {
              options->params.tol = parse_number(text);
              if (!(options->params.tol > 0 && options->params.tol < 1))
                throw InvalidArgument(fmt::format("'{}' is not in (0, 1)", text));
            });
  add_choice(*parser, "--precision", {"auto", "float32", "float64"}, "auto",
             "precision of the Gram matrix; auto takes float64 if it fits",
             [options](const std::string& text) { options->params.precision = parse_precision(text); });
  add_value(*parser, "--memory", "SIZE", "memory budget, for example 512M or 8G (default: what is available)",
            [options](const std::string& text) { options->params.memory = parse_bytes(text); });
  add_value(*parser, "--max-iter", "N", "largest number of products with the Gram matrix after the first (default 100)",
            [options](const std::string& text) { options->params.max_iter = parse_integer(text, 1); });
  add_value(*parser, "--time-limit", "SECONDS", "stop after this time with the best bound so far (default 0: no limit)",
            [options](const std::string& text) { options->params.time_limit = parse_number(text); });
  add_value(*parser, "--seed", "N", "seed of the random vectors behind the bound (default 1)",
            [options](const std::string& text) { options->params.seed = parse_seed(text); });
  add_threads(*parser, options->params.threads);
  add_read_options(*parser, options->read);
  parser
      ->add_option("--json", options->json,
                   "write the result here as JSON, - for standard output (default: not written)")
      ->type_name("FILE");
  parser->add_flag("--quiet", options->quiet, "print nothing but errors (default: print the result)");
  parser->footer(
      "eta is the relative error of the explained variance: 1e-4 means that the components explain 99.99 % of\n"
      "what the best components explain. A certified eta is an upper bound with failure probability at most\n"
      "1e-6. For the losses huber and epsilon_insensitive, eta says how far the solution is from a critical\n"
      "point instead.\n\n"
      "The exit code is 0 if eta is at most --tol, and 4 if it is not.\n\n"
      "Example:\n  dualkpca check iris.safetensors iris.csv --label-col species");
  return {parser, [options] { return run_check(*options); }};
}

}  // namespace dualkpca::app
