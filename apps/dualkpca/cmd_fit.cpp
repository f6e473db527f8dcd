#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "commands.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/dualkpca.hpp"
#include "exit_codes.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "scores.hpp"
#include "stop_signal.hpp"

namespace dualkpca::app {
namespace {

struct FitOptions {
  KernelPCAParams params{};
  ReadOptions read{};
  std::string data{}, output{}, json{}, scores{};
  bool quiet = false;

  [[nodiscard]] bool results_on_stdout() const {
    return is_standard_output(output) || is_standard_output(json) || is_standard_output(scores);
  }
};

std::optional<Index> parse_power_iterations(const std::string& text) {
  if (text == "auto") return {};
  try {
    return parse_integer(text, 0);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}, nor auto", error.what()));
  }
}

void add_model_options(CLI::App& app, KernelPCAParams& params) {
  const KernelPCAParams defaults;
  app.option_defaults()->group("What is fitted");
  add_value(app, "--n-components", "N",
            fmt::format("components, or the share of the variance they explain, 0 < N < 1 (default {})",
                        defaults.n_components.count),
            [&](const std::string& text) { params.n_components = parse_components(text); });
  add_choice(
      app, "--kernel",
      {"rbf", "laplace", "laplacian", "poly", "linear", "sigmoid", "cosine", "matern32", "matern52", "precomputed"},
      to_string(defaults.kernel.name), "k(x, y)",
      [&](const std::string& text) { params.kernel.name = parse_kernel(text); });
  add_value(app, "--gamma", "VALUE", "width: a positive number, auto (1/columns), scale or median (default auto)",
            [&](const std::string& text) { params.kernel.gamma = parse_gamma(text); });
  add_value(app, "--degree", "N", fmt::format("degree of kernel poly (default {})", defaults.kernel.degree),
            [&](const std::string& text) { params.kernel.degree = static_cast<int>(parse_integer(text, 1, 100)); });
  add_value(app, "--coef0", "VALUE",
            fmt::format("constant of kernels poly and sigmoid (default {})", defaults.kernel.coef0),
            [&](const std::string& text) { params.kernel.coef0 = parse_number(text); });
  app.add_flag_callback(
      "--no-center", [&] { params.center = false; }, "do not centre the features (default: centre them)");
  add_choice(app, "--scale", {"none", "standard", "robust", "minmax"}, to_string(defaults.scale),
             "scaling of the columns, kept in the model",
             [&](const std::string& text) { params.scale = parse_scaling(text); });
}

void add_loss_options(CLI::App& app, LossParams& loss) {
  app.option_defaults()->group("Robust and sparse");
  add_choice(app, "--loss", {"square", "huber", "epsilon_insensitive"}, to_string(LossParams{}.name),
             "square; huber: robust; epsilon_insensitive: sparse",
             [&](const std::string& text) { loss.name = parse_loss(text); });
  add_choice(app, "--norm", {"rows", "entries", "frobenius"}, to_string(LossParams{}.norm),
             "what the loss clips or shrinks", [&](const std::string& text) { loss.norm = parse_norm(text); });
  add_value(app, "--kappa", "VALUE",
            "of huber: the size that scores are clipped to in the dual (default: by --kappa-ratio)",
            [&](const std::string& text) { loss.kappa = parse_number(text); });
  add_value(app, "--kappa-ratio", "R",
            fmt::format("of huber: kappa as a share of the largest size without clipping, 0 < R <= 1 (default {})",
                        LossParams::default_kappa_ratio),
            [&](const std::string& text) { loss.kappa_ratio = parse_number(text); });
  add_value(app, "--epsilon", "VALUE", "of epsilon_insensitive: sizes up to this become zero (default: by --sparsity)",
            [&](const std::string& text) { loss.epsilon = parse_number(text); });
  add_value(app, "--sparsity", "F",
            fmt::format("of epsilon_insensitive: the share of rows or entries to become zero, 0 < F < 1 (default {})",
                        LossParams::default_sparsity),
            [&](const std::string& text) { loss.sparsity = parse_number(text); });
}

void add_solver_options(CLI::App& app, SolverParams& solver) {
  const SolverParams defaults;
  app.option_defaults()->group("How it is solved");
  add_choice(app, "--solver", {"auto", "krylov", "nystrom", "lbfgs", "panoc", "dca", "dense", "lanczos", "rsvd"},
             to_string(defaults.name), "algorithm", [&](const std::string& text) { solver.name = parse_solver(text); });
  add_value(
      app, "--tol", "ETA",
      fmt::format("stop when the error eta is at most this; 0: as small as rounding allows (default {})", defaults.tol),
      [&](const std::string& text) { solver.tol = parse_number(text); });
  add_choice(app, "--accuracy", {"estimated", "certified"}, to_string(defaults.accuracy), "of that eta",
             [&](const std::string& text) { solver.accuracy = parse_accuracy(text); });
  add_value(app, "--max-iter", "N", fmt::format("most iterations (default {})", defaults.max_iter),
            [&](const std::string& text) { solver.max_iter = parse_integer(text, 1); });
  add_value(app, "--time-limit", "SECONDS", "stop after this time with the best solution so far (default 0: no limit)",
            [&](const std::string& text) { solver.time_limit = parse_number(text); });
  add_value(app, "--landmarks", "N",
            "of nystrom and of the centre of a sparse model: at most so many (default 0: as many as it takes)",
            [&](const std::string& text) { solver.landmarks = parse_integer(text, 0); });
  add_value(app, "--oversampling", "N",
            fmt::format("columns of rsvd beyond the components (default {})", defaults.oversampling),
            [&](const std::string& text) { solver.oversampling = parse_integer(text, 0); });
  add_value(app, "--power-iterations", "N", "of rsvd: a number, or auto for as many as --tol takes (default auto)",
            [&](const std::string& text) { solver.power_iterations = parse_power_iterations(text); });
  add_value(app, "--seed", "N", fmt::format("of the random start (default {})", defaults.seed),
            [&](const std::string& text) { solver.seed = parse_seed(text); });
}

void add_resource_options(CLI::App& app, KernelPCAParams& params) {
  app.option_defaults()->group("What it may use");
  add_choice(app, "--gram", {"auto", "stored"}, "auto", "where the Gram matrix lives",
             [&](const std::string& text) { params.gram = parse_gram_mode(text); });
  add_value(app, "--memory", "SIZE", "budget, for example 512M or 8G (default: what is available)",
            [&](const std::string& text) { params.memory = parse_bytes(text); });
  add_choice(app, "--precision", {"auto", "float32", "float64"}, "auto",
             "of the Gram matrix (auto: float32 if tol >= 1e-5)",
             [&](const std::string& text) { params.precision = parse_precision(text); });
  add_threads(app, params.threads);
}

void add_file_options(CLI::App& app, FitOptions& options) {
  app.option_defaults()->group("Files");
  app.add_option("DATA", options.data, data_help)->required()->type_name("");
  app.add_option("-o,--output", options.output, "the model is written here")->required()->type_name("MODEL");
  app.add_option("--json", options.json, "write the report here as JSON, - for standard output (default: not written)")
      ->type_name("FILE");
  app.add_option("--scores", options.scores,
                 "write the scores of DATA here, in the format of its extension (default: not written)")
      ->type_name("FILE");
  add_read_options(app, options.read);
  add_n_features(app, options.read);
  app.add_flag("--quiet", options.quiet, "print nothing but errors (default: print plan, progress and summary)");
}

// What can be said before the data are read.
void validate(const FitOptions& options) {
  options.params.kernel.validate();
  options.params.loss.validate();
  options.params.solver.validate();
  if (options.output.empty()) throw InvalidArgument("--output: the name of the file is empty");
  check_outputs({{"DATA", options.data}},
                {{"--output", options.output}, {"--json", options.json}, {"--scores", options.scores, true}});
}

// What was taken for names, so that a first row with a typing error in it does not vanish unseen.
std::string names_line(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  constexpr std::size_t shown = 5;
  const std::size_t count = std::min(names.size(), shown);
  return fmt::format("columns named by the first line: {}{}\n",
                     fmt::join(names.begin(), names.begin() + static_cast<Index>(count), ", "),
                     names.size() > shown ? ", ..." : "");
}

std::vector<std::pair<Index, double>> nonzeros_of(const SamplesView& X, Index i) {
  std::vector<std::pair<Index, double>> entries;
  X.for_each_entry(i, [&](Index j, double value) {
    if (value != 0) entries.emplace_back(j, value);
  });
  return entries;
}

void require_usable(const FitOptions& options, const SamplesView& X) {
  if (X.rows() < 2) throw DataError(fmt::format("{}: has {} row; a fit needs at least 2", options.data, X.rows()));
  require_n_features(options.read, options.data, X.cols());
  X.require_finite(options.data);
  const Components& components = options.params.n_components;
  if (components.fraction == 0 && components.count > X.rows())
    throw InvalidArgument(
        fmt::format("--n-components: {} is more than the {} rows of {}", components.count, X.rows(), options.data));
  const auto first = nonzeros_of(X, 0);
  for (Index i = 1; i < X.rows(); ++i)
    if (nonzeros_of(X, i) != first) return;
  throw DataError(
      fmt::format("{}: all {} rows are the same, so there is no variance to explain", options.data, X.rows()));
}

Dataset read_observed(const FitOptions& options, const StopSignal& stop) {
  ProgressBar bar(!options.quiet);
  ReadOptions read = options.read;
  read.observe = [&](const Progress& progress) {
    bar.show(progress);
    return !stop.requested();
  };
  return read_dataset(options.data, read);
}

void fit_observed(KernelPCA& model, const Dataset& data, const FitOptions& options, const StopSignal& stop) {
  ProgressBar bar(!options.quiet);
  try {
    const Observer observe = [&](const Progress& progress) {
      bar.show(progress);
      return !stop.requested();
    };
    model.fit(data.samples.view(), observe, data.ids);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", options.data, error.what()));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}: {}", options.data, error.what()));
  }
}

void write_files(const FitOptions& options, const KernelPCA& model, const std::vector<std::string>& ids) {
  model.save(options.output);
  if (!options.scores.empty()) {
    const auto writer = make_score_writer(options.scores, model.scores().rows(), model.scores().cols(), !ids.empty());
    writer->write(model.scores(), ids);
    writer->commit();
  }
  if (options.json.empty()) return;
  OutputFile file(options.json);
  file.write(report_json(model));
  file.commit();
}

// The time is spent: the message has to say that it was not the fit that failed.
void write_results(const FitOptions& options, const KernelPCA& model, const std::vector<std::string>& ids) {
  try {
    write_forgivingly(options.results_on_stdout(), [&] { write_files(options, model, ids); });
  } catch (const ResourceError& error) {
    throw ResourceError(fmt::format("after the fit: {}", error.what()));
  } catch (const DataError& error) {
    throw DataError(fmt::format("after the fit: {}", error.what()));
  }
}

int run_fit(FitOptions options) {
  validate(options);
  options.params.threads = resolve_threads(options.params.threads);  // so that the report says how many
  options.read.threads = options.params.threads;
  set_blas_threads(options.params.threads);
  const auto say = [&](const std::string& text) {
    if (!options.quiet) print(options.results_on_stdout() ? stderr : stdout, text);
  };

  const StopSignal stop;  // a signal that comes while the results are written must not lose them
  const Dataset data = read_observed(options, stop);
  const SamplesView& X = data.samples.view();
  require_usable(options, X);
  const MemoryPlan plan = plan_fit(options.params, X);
  say(names_line(data.feature_names) + plan_text(plan, X) + "\n");
  require_fits(plan, X.rows());

  KernelPCA model(options.params);
  fit_observed(model, data, options, stop);
  write_results(options, model, data.ids);
  const std::string target = is_standard_output(options.output) ? "standard output" : options.output;
  say(fmt::format("{}\nmodel written to {}\n", summary_text(model), target));
  return model.report().status == Status::converged ? done : not_converged;
}

}  // namespace

Command setup_fit(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("fit", "Fit a model to the rows of a file")->group("Commands");
  const auto options = std::make_shared<FitOptions>();
  add_file_options(*parser, *options);
  add_model_options(*parser, options->params);
  add_loss_options(*parser, options->params.loss);
  add_solver_options(*parser, options->params.solver);
  add_resource_options(*parser, options->params);
  parser->footer(
      "Example:\n  dualkpca fit iris.csv --label-col species --n-components 2 --gamma 0.5 -o iris.safetensors");
  return {parser, [options] { return run_fit(*options); }};
}

}  // namespace dualkpca::app
