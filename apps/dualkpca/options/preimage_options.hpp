#pragma once

#include <CLI/CLI.hpp>

#include "dualkpca/dualkpca.hpp"

namespace dualkpca::app {

/// How a command comes back from scores to rows.
struct PreimageOptions {
  PreimageParams params{};
  bool is_given = false;          ///< any of the options but --noise
  std::optional<double> noise{};  ///< unset: none was given, or auto
};

/// --preimage and the numbers behind it. `standard`: what happens by default.
void add_preimage_options(CLI::App& app, PreimageOptions& options, const char* standard);

/// --noise; `standard`: what happens by default.
void add_noise(CLI::App& app, PreimageOptions& options, const std::string& standard);

/// Learns the wanted way back, unless the model has one and nothing else is wanted. `training_rows`, where they are
/// known, serve a model that holds only some of them.
void learn_inverse(KernelPCA& model, const PreimageOptions& options, int threads,
                   const SamplesView* training_rows = nullptr, const Observer& observe = {});

}  // namespace dualkpca::app
