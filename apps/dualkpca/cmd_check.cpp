#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/dualkpca.hpp"
#include "exit_codes.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "stop_signal.hpp"

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
  options.params.threads = compute_threads(options.params.threads);
  options.read.threads = options.params.threads;
  options.read.memory = options.params.memory;
  set_blas_threads(options.params.threads);
  const KernelPCA model = KernelPCA::load(options.model);
  if (model.report().nonzeros) options.read.n_features = model.report().n_features;
  const StopSignal stop;
  ProgressBar bar(!options.quiet);
  const Observer observe = [&](const Progress& progress) {
    bar.show(progress);
    return !stop.requested();
  };
  options.read.observe = observe;
  const Dataset data = read_dataset(options.data, options.read);
  options.params.input_memory = data.bytes;
  const CheckReport report = [&] {
    try {
      return model.check(data.samples.view(), options.params, observe);
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: {}", options.data, error.what()));
    }
  }();
  const bool on_stdout = is_standard_output(options.json);
  if (!options.json.empty())
    ignore_closed_pipe(on_stdout, [&] {
      OutputFile file(options.json);
      file.write(check_json(report));
      file.commit();
    });
  if (!options.quiet) print(on_stdout ? stderr : stdout, check_text(report));
  return report.status == Status::converged ? done : not_converged;
}

}  // namespace

Command setup_check(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("check", "Bound the error of a stored solution, or say how far it is from a critical point")
          ->group("Commands");
  const auto options = std::make_shared<CheckOptions>();
  parser->add_option("MODEL", options->model, "made by dualkpca fit")->required()->type_name("");
  parser->add_option("DATA", options->data, "the rows it was fitted to")->required()->type_name("");
  add_value(*parser, "--tol", "ETA", "where eta has to be (default: the tolerance of the fit)",
            [options](const std::string& text) {
              options->params.tol = parse_number(text);
              if (!(options->params.tol > 0 && options->params.tol < 1))
                throw InvalidArgument(fmt::format("'{}' is not in (0, 1)", text));
            });
  add_choice(*parser, "--precision", {"auto", "float32", "float64"}, "auto",
             "of the Gram matrix (auto: float64 if that fits the memory)",
             [options](const std::string& text) { options->params.precision = parse_precision(text); });
  add_value(*parser, "--memory", "SIZE", "budget, for example 512M or 8G (default: what is available)",
            [options](const std::string& text) { options->params.memory = parse_bytes(text); });
  add_value(*parser, "--max-iter", "N",
            "most products with the Gram matrix after the one at the solution (default 100)",
            [options](const std::string& text) { options->params.max_iter = parse_integer(text, 1); });
  add_value(*parser, "--time-limit", "SECONDS", "stop after this time with the best bound so far (default 0: no limit)",
            [options](const std::string& text) { options->params.time_limit = parse_number(text); });
  add_value(*parser, "--seed", "N", "of the random vectors behind the bound (default 1)",
            [options](const std::string& text) { options->params.seed = parse_seed(text); });
  add_threads(*parser, options->params.threads);
  add_read_options(*parser, options->read);
  parser->add_option("--json", options->json, "write the result here as JSON, - for standard output")
      ->type_name("FILE");
  parser->add_flag("--quiet", options->quiet, "print nothing but errors (default: print the result)");
  parser->footer("Example:\n  dualkpca check iris.safetensors iris.csv --label-col species");
  return {parser, [options] { return run_check(*options); }};
}

}  // namespace dualkpca::app
