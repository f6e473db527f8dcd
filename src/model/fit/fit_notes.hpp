#pragma once

#include <string>
#include <vector>

#include "dualkpca/model/kernel_pca_params.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// Notes on options that had no effect.
[[nodiscard]] std::vector<std::string> notes_on(const KernelPCAParams& params, SolverName solver);

/// Adds a note on components that are zero. They are correct up to rounding, but the user should know.
void note_zeros(FittedModel& model);

/// Adds a note on a trace that centring has cancelled, or that the components exceed. `size`: size of the entries of K,
/// times n; `trace`: tr G.
void note_rounding(FittedModel& model, bool centered, double size, double trace);

}  // namespace dualkpca
