#pragma once

#include <CLI/CLI.hpp>

#include "dualkpca/dualkpca.hpp"

namespace dualkpca::app {

/// Options of the inverse transform, which computes rows from scores.
struct PreimageOptions {
  PreimageParams params{};
  bool is_given = false;          ///< whether any of these options was given, --noise aside
  std::optional<double> noise{};  ///< unset if --noise was not given or is auto
};

/// Adds --preimage and the options of the inverse transform. The help shows `standard` as the default of --preimage.
void add_preimage_options(CLI::App& app, PreimageOptions& options, const char* standard);

/// Adds --noise. The help shows `standard` as its default.
void add_noise(CLI::App& app, PreimageOptions& options, const std::string& standard);

/// Learns the inverse transform that the options ask for. Does nothing if the model has one and no option was given.
/// A model that holds only some of its training rows learns from `training_rows`, if they are known.
void learn_inverse(KernelPCA& model, const PreimageOptions& options, int threads,
                   const SamplesView* training_rows = nullptr, const Observer& observe = {});

}  // namespace dualkpca::app
