#pragma once

#include <string>
#include <vector>

#include "dualkpca/model/kernel_pca_params.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// Options that had no effect.
[[nodiscard]] std::vector<std::string> notes_on(const KernelPCAParams& params, SolverName solver);

/// Zero components and a trace that centring has cancelled are right as far as rounding goes; a user has to know.
/// `size`: of the entries of K times n; `trace`: of G.
void note_rounding(FittedModel& model, bool centered, double size, double trace);

}  // namespace dualkpca
