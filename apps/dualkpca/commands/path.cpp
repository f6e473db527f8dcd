#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands/commands.hpp"
#include "dualkpca/data/write.hpp"
#include "dualkpca/dualkpca.hpp"
#include "options/field_options.hpp"
#include "options/fit_options.hpp"
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

struct PathOptions {
  KernelPCAParams params{};
  PathParams path{};
  ReadOptions read{};
  std::string data{}, output = "-";
  bool quiet = false;
};

constexpr const char* header =
    "n_components,loss,norm,kappa,epsilon,ratio,dual_objective,primal_objective,reconstruction_error,error_ratio,"
    "sparsity,support_size,weighted_rows,eta,status,products,seconds\n";

// Returns the text of a cell, which is empty if there is no finite number.
std::string cell(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.10g}", *value) : "";
}

std::string csv_line(const PathPoint& point) {
  const bool square = point.loss.name == LossName::square, huber = point.loss.name == LossName::huber;
  const std::optional<double> number = square ? std::nullopt : std::optional(point.loss.parameter);
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.4g}\n", point.n_components,
                     to_string(point.loss.name), square ? "" : to_string(point.loss.norm), huber ? cell(number) : "",
                     huber ? "" : cell(number), cell(point.ratio), cell(point.dual_objective),
                     cell(point.primal_objective), cell(point.reconstruction_error), cell(point.error_ratio),
                     cell(point.sparsity), point.support_size, point.weighted_rows, cell(point.eta),
                     to_string(point.status), point.products, point.seconds);
}

template <class Parse>
auto parse_list(const std::string& text, const Parse& parse) {
  std::vector<decltype(parse(text))> values;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    values.push_back(parse(text.substr(first, end - first)));
    first = end + 1;
  }
  return values;
}

int run_path(PathOptions options) {
  options.params.solver.validate();
  options.path.validate(options.params.loss);
  check_outputs({{"DATA", options.data}}, {{"--output", options.output}});
  share_resources(options.params.threads, options.params.memory, options.read);
  const StopSignal stop;
  const Dataset data = read_with_progress(options.data, options.read, options.quiet, stop);
  const SamplesView& X = data.samples.view();
  Index most = options.path.n_components.empty() ? options.params.n_components.count : 0;
  for (const Index s : options.path.n_components) most = std::max(most, s);
  require_fittable(X, options.data, options.read, most);
  options.params.input_memory = data.bytes;

  const bool to_stdout = is_standard_output(options.output);
  bool converged = true;
  ignore_closed_pipe(to_stdout, [&] {
    OutputFile file(options.output);
    bool is_empty = true;  // a wrong option is reported before the first point, so the header waits
    ProgressBar bar(!options.quiet && !to_stdout);
    const auto take = [&](const PathPoint& point) {
      if (is_empty) file.write(header);
      is_empty = false;
      file.write(csv_line(point));
      converged = converged && point.status == Status::converged;
    };
    const bool whole = with_data_context(
        options.data, [&] { return fit_path(options.params, options.path, X, take, observe_with(bar, stop)); });
    converged = whole && converged;
    file.commit();  // a stopped path keeps the points so far
  });
  say_written(options.output, options.quiet, fmt::format("path written to {}\n", options.output));
  return converged ? done : not_converged;
}

void add_grid_options(CLI::App& app, PathOptions& options) {
  app.option_defaults()->group("Grid of fits");
  PathParams& path = options.path;
  add_value(app, "--n-components", "LIST", "numbers of components, separated by commas (default 2)",
            [&](const std::string& text) {
              path.n_components = parse_list(text, [](const std::string& one) { return parse_integer(one, 1); });
            });
  const auto over = [&](const char* name, const char* help) {
    const PathParams::Over what = parse_path_over(field_of(name));
    add_value(app, name, "LIST", help, [&path, what](const std::string& text) {
      if (path.over && *path.over != what)
        throw InvalidArgument("another list is given already; a path runs over one list");
      path.over = what;
      path.values = parse_list(text, parse_number);
    });
  };
  over("--kappa", "values of kappa for loss huber, separated by commas (default: by --kappa-ratio)");
  over("--kappa-ratio", "values of kappa as shares of kappa_max, 0 < R <= 1 (default: --points of them)");
  over("--epsilon", "values of epsilon for loss epsilon_insensitive (default: --points of them)");
  add_value(app, "--points", "N",
            fmt::format("number of values that are chosen if no list is given (default {})", path.points),
            [&](const std::string& text) { path.points = parse_integer(text, 1, 10000); });
}

}  // namespace

Command setup_path(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("path", "Fits rows once for each value of kappa or epsilon and writes one CSV line per fit.")
          ->group("Commands");
  const auto options = std::make_shared<PathOptions>();
  options->params.loss.name = LossName::huber;
  parser->add_option("DATA", options->data, data_help)->required()->type_name("");
  parser->add_option("-o,--output", options->output, "file for the table (default: standard output)")
      ->type_name("FILE");
  add_read_options(*parser, options->read);
  add_n_features(*parser, options->read);
  parser->add_flag("--quiet", options->quiet, "print nothing but errors and the table (default: show progress)");
  add_grid_options(*parser, *options);
  for (const FieldGroup group : {FieldGroup::model, FieldGroup::loss, FieldGroup::solver, FieldGroup::resources})
    add_fit_options(*parser, options->params, group);
  parser->footer(
      "kappa is the hyperparameter of the loss huber: a small one clips many rows, and kappa_max is the\n"
      "smallest that clips none. epsilon is the hyperparameter of the loss epsilon_insensitive: a larger one\n"
      "leaves fewer rows.\n\n"
      "The loss must be huber or epsilon_insensitive. For each number of components, the first line is the fit\n"
      "with the square loss, for comparison. eta says how far a fit is from a critical point. No model is\n"
      "written.\n\n"
      "Example:\n  dualkpca path iris.csv --label-col species --loss huber --kappa-ratio 1,0.5,0.2 -o path.csv");
  return {parser, [options] { return run_path(*options); }};
}

}  // namespace dualkpca::app
