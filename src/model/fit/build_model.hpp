#pragma once

#include <span>
#include <string>

#include "dualkpca/solver/solver.hpp"
#include "model/fit/model_gram.hpp"

namespace dualkpca {

/// Turns a solution into ordered components and puts them into the model, with the rows and numbers that projecting new
/// rows needs. Fills the report. The solution belongs to `gram` and `samples`. Throws DataError if the kernel values
/// are zero up to rounding.
void build_model(FittedModel& model, const KernelPCAParams& params, SolveResult solution, const ModelGram& gram,
                 const SamplesView& samples, std::span<const std::string> ids);

}  // namespace dualkpca
