#include "fit_options.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "options.hpp"

namespace dualkpca::app {
namespace {

std::optional<Index> parse_power_iterations(const std::string& text) {
  if (text == "auto") return {};
  try {
    return parse_integer(text, 0);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}, nor auto", error.what()));
  }
}

}  // namespace

void add_n_components(CLI::App& app, KernelPCAParams& params) {
  const KernelPCAParams defaults;
  app.option_defaults()->group("What is fitted");
  add_value(app, "--n-components", "N",
            fmt::format("components, or the share of the variance they explain, 0 < N < 1 (default {})",
                        defaults.n_components.count),
            [&](const std::string& text) { params.n_components = parse_components(text); });
}

void add_model_options(CLI::App& app, KernelPCAParams& params) {
  const KernelPCAParams defaults;
  app.option_defaults()->group("What is fitted");
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
  add_value(app, "--lags", "N",
            "of a series: the N rows before each belong to its sample, kept in the model (default 0)",
            [&](const std::string& text) { params.lags = parse_integer(text, 0, 10000); });
}

void add_loss_choice(CLI::App& app, LossParams& loss) {
  app.option_defaults()->group("Robust and sparse");
  add_choice(app, "--loss", {"square", "huber", "epsilon_insensitive"}, to_string(loss.name),
             "what is minimised; huber is robust, epsilon_insensitive sparse",
             [&](const std::string& text) { loss.name = parse_loss(text); });
  add_choice(app, "--norm", {"rows", "entries", "frobenius"}, to_string(LossParams{}.norm),
             "what the loss clips or shrinks", [&](const std::string& text) { loss.norm = parse_norm(text); });
}

void add_loss_numbers(CLI::App& app, LossParams& loss) {
  app.option_defaults()->group("Robust and sparse");
  add_value(app, "--kappa", "VALUE",
            "of huber: the size that scores are clipped to in the dual (default: by --kappa-ratio)",
            [&](const std::string& text) { loss.kappa = parse_number(text); });
  add_value(
      app, "--kappa-ratio", "R",
      fmt::format("of huber: kappa as a share of kappa_max, 0 < R <= 1 (default {})", LossParams::default_kappa_ratio),
      [&](const std::string& text) { loss.kappa_ratio = parse_number(text); });
  add_value(app, "--epsilon", "VALUE", "of epsilon_insensitive: sizes up to this become zero (default: by --sparsity)",
            [&](const std::string& text) { loss.epsilon = parse_number(text); });
  add_value(app, "--sparsity", "F",
            fmt::format("of epsilon_insensitive: the share of rows or entries to be zero, 0 < F < 1 (default {})",
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
            "of nystrom, or of a sparse model's centre: at most so many (default 0: as it takes)",
            [&](const std::string& text) { solver.landmarks = parse_integer(text, 0); });
  add_value(app, "--oversampling", "N",
            fmt::format("columns of rsvd beyond the components (default {})", defaults.oversampling),
            [&](const std::string& text) { solver.oversampling = parse_integer(text, 0); });
  add_value(app, "--power-iterations", "N", "of rsvd: a number, or auto for as many as --tol takes (default auto)",
            [&](const std::string& text) { solver.power_iterations = parse_power_iterations(text); });
  add_value(app, "--seed", "N", fmt::format("of the random start (default {})", defaults.seed),
            [&](const std::string& text) { solver.seed = parse_seed(text); });
}

void add_monitor_options(CLI::App& app, MonitorParams& monitor) {
  app.option_defaults()->group("Monitoring");
  add_choice(app, "--limits", {"auto", "cv", "training", "chi2", "weighted_chi2", "none"}, to_string(monitor.limits),
             "of T2 and SPE", [&](const std::string& text) { monitor.limits = parse_limit_kind(text); });
  add_value(app, "--level", "F",
            fmt::format("share of ordinary rows below each limit, 0.5 <= F < 1 (default {})", monitor.level),
            [&](const std::string& text) { monitor.level = parse_number(text); });
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

}  // namespace dualkpca::app
