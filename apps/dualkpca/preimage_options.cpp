#include "preimage_options.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"

namespace dualkpca::app {

void add_preimage_options(CLI::App& app, PreimageOptions& options, const std::string& standard) {
  app.option_defaults()->group("The way back from scores to rows");
  PreimageParams& params = options.params;
  const auto given = [&options](auto set) {
    return [&options, set](const std::string& text) {
      set(text);
      options.is_given = true;
    };
  };
  add_choice(app, "--preimage", {"auto", "ridge", "fixed_point", "distance", "linear"}, standard, "how it is found",
             given([&](const std::string& text) { params.method = parse_preimage_method(text); }));
  add_value(app, "--preimage-gamma", "VALUE",
            "of ridge: width of its rbf kernel between scores (default: by leave-one-out)",
            given([&](const std::string& text) { params.gamma = parse_number(text); }));
  add_value(app, "--preimage-alpha", "VALUE", "of ridge: the ridge (default: by leave-one-out)",
            given([&](const std::string& text) { params.alpha = parse_number(text); }));
  add_value(app, "--preimage-centers", "N",
            fmt::format("of ridge: rows that it is spanned by, at most (default {})", PreimageParams::default_centers),
            given([&](const std::string& text) { params.centers = parse_integer(text, 1); }));
  add_choice(app, "--preimage-weights", {"auto", "none", "huber", "huber_spe", "dual", "density"}, "auto",
             "of ridge: how much a row counts",
             given([&](const std::string& text) { params.weights = parse_preimage_weights(text); }));
  add_choice(app, "--preimage-compat", {"none", "sklearn", "paper"}, "none", "of ridge: whose numbers it gives",
             given([&](const std::string& text) { params.compatibility = parse_preimage_compatibility(text); }));
}

void add_noise(CLI::App& app, PreimageOptions& options, const std::string& standard) {
  app.option_defaults()->group("The way back from scores to rows");
  add_value(app, "--noise", "SD",
            fmt::format("of ridge: standard deviation of noise, in scaled units (default {})", standard),
            [&options](const std::string& text) {
              if (text == "auto") return options.noise.reset();
              const double value = parse_number(text);
              if (value < 0) throw InvalidArgument(fmt::format("noise is {}; it must not be negative", text));
              options.noise = value;
            });
}

void learn_inverse(KernelPCA& model, const PreimageOptions& options, int threads, const SamplesView* training_rows,
                   const Observer& observe) {
  if (model.inverse_report() != nullptr && !options.is_given && !options.noise) return;
  PreimageParams params = options.params;
  params.noise = options.noise.value_or(0);
  params.seed = model.params().solver.seed;
  if (training_rows != nullptr && model.report().stored_rows < model.report().n_samples) {
    model.fit_inverse(*training_rows, params, threads, observe);
    return;
  }
  model.fit_inverse(params, threads, observe);
}

}  // namespace dualkpca::app
