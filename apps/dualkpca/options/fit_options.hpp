#pragma once

#include <CLI/CLI.hpp>

#include "dualkpca/model/field.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca::app {

/// Adds the options of a group of fields. The present values of `params` are their defaults.
void add_fit_options(CLI::App& app, KernelPCAParams& params, FieldGroup group);

}  // namespace dualkpca::app
