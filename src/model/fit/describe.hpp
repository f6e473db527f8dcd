#pragma once

#include <span>
#include <string>

#include "dualkpca/solver/solver.hpp"
#include "model/fit/model_gram.hpp"

namespace dualkpca {

/// Each of these fills the part of the report that its argument knows about.

void describe(FitReport& report, const SolveResult& solution);
void describe(FitReport& report, const ModelGram& gram);
void describe(FitReport& report, const SamplesView& samples);
/// Everything that the finished model holds; `model.report` itself is where it goes.
void describe_model(FittedModel& model);

/// Eigenvalues with their shares of `trace`, which may be wrong by `rounding`.
void describe_eigenvalues(FitReport& report, const Vector& eigenvalues, double trace, double rounding);

/// What the loss has done to the rows, for losses other than square: the share of zeros in H, the rows with a weight
/// below 1 and the most extreme of them. `H` and `weights` are of all training rows; `ids` name these, if there are
/// any.
void describe_weights(FitReport& report, const Loss& loss, const Matrix& H, const Vector& weights,
                      std::span<const std::string> ids);

}  // namespace dualkpca
