#pragma once

#include <span>
#include <string>

#include "dualkpca/solver/solver.hpp"
#include "model/fit/model_gram.hpp"

namespace dualkpca {

/// Puts a solution into the model, with everything that projecting needs and the report says about it.

/// From H and GH; X and `rows` are those of make_model_gram.
void take_dual_solution(FittedModel& model, const SolveResult& solution, const ModelGram& gram,
                        std::span<const std::string> ids);

/// From landmarks: there is no product, and all of it is float64. `kernel_diagonal`: k(x_i, x_i).
void take_landmarks(FittedModel& model, SolveResult& solution, const SamplesView& X, const Vector& kernel_diagonal,
                    bool precomputed);

}  // namespace dualkpca
