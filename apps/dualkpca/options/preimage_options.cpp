#include "options/preimage_options.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/preimage_fields.hpp"
#include "options/field_options.hpp"

namespace dualkpca::app {
namespace {

constexpr const char* heading = "Inverse transform (from scores back to rows)";

}  // namespace

void add_preimage_options(CLI::App& app, PreimageOptions& options, const char* standard) {
  app.option_defaults()->group(heading);
  const auto mark = [&options] { options.is_given = true; };
  for_each_field(options.params, [&](Field field, auto& value) {
    if (field.group != FieldGroup::preimage) return;
    if (field.name == preimage_fields::method.name) field.standard = standard;
    add_field(app, field, value, mark);
  });
}

void add_noise(CLI::App& app, PreimageOptions& options, const std::string& standard) {
  app.option_defaults()->group(heading);
  const Field& field = preimage_fields::noise;
  add_value(app, option_of(field), std::string(field.value), std::string(field.help) + default_note(standard),
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
