#pragma once

#include <span>
#include <string>

#include "dualkpca/solver/solver.hpp"
#include "model/fit/model_gram.hpp"

namespace dualkpca {

/// Each of these functions fills the part of the report that its argument determines.

void describe(FitReport& report, const SolveResult& solution);
void describe(FitReport& report, const ModelGram& gram);
void describe(FitReport& report, const SamplesView& samples);
/// Fills `model.report` with everything that the finished model determines.
void describe_model(FittedModel& model);

/// Eigenvalues with their shares of `trace`, which may be wrong by `rounding`.
void describe_eigenvalues(FitReport& report, const Vector& eigenvalues, double trace, double rounding);

/// Fills the effect of the loss on the rows, for losses other than square: the share of zeros in H, the number of rows
/// with a weight below 1 and the most extreme of them. `H` and `weights` are those of all training rows; `ids` are
/// their names, or empty.
void describe_weights(FitReport& report, const Loss& loss, const Matrix& H, const Vector& weights,
                      std::span<const std::string> ids);

}  // namespace dualkpca
