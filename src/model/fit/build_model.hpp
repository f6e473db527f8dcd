#pragma once

#include <span>
#include <string>

#include "dualkpca/solver/solver.hpp"
#include "model/fit/model_gram.hpp"

namespace dualkpca {

/// Turns a solution into ordered components and puts them into the model, with everything that projecting new rows
/// needs and the rows that it takes. Says in the report what was found. `gram` and `samples` are what the solution
/// belongs to. Throws DataError if nothing is left of the kernel but rounding.
void build_model(FittedModel& model, const KernelPCAParams& params, SolveResult solution, const ModelGram& gram,
                 const SamplesView& samples, std::span<const std::string> ids);

}  // namespace dualkpca
