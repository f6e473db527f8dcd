#pragma once

#include <CLI/CLI.hpp>

#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca::app {

/// Options of a fit, by group.

/// --n-components, unless it is asked for in another form.
void add_n_components(CLI::App& app, KernelPCAParams& params);
/// The kernel, centring and scaling.
void add_model_options(CLI::App& app, KernelPCAParams& params);
/// --loss and --norm.
void add_loss_choice(CLI::App& app, LossParams& loss);
/// The numbers of a loss.
void add_loss_numbers(CLI::App& app, LossParams& loss);
void add_solver_options(CLI::App& app, SolverParams& solver);
/// --limits and --level.
void add_monitor_options(CLI::App& app, MonitorParams& monitor);
void add_resource_options(CLI::App& app, KernelPCAParams& params);

}  // namespace dualkpca::app
