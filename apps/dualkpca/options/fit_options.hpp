#pragma once

#include <CLI/CLI.hpp>

#include "dualkpca/model/field.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca::app {

/// The options of a group of fields. What `params` holds now is their default.
void add_fit_options(CLI::App& app, KernelPCAParams& params, FieldGroup group);

}  // namespace dualkpca::app
