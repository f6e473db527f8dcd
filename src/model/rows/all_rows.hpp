#pragma once

#include "model/fitted_model.hpp"

namespace dualkpca {

/// Returns the dual variables of all n training rows. A model that stores only its support stores nothing for the other
/// rows, whose dual variables and weights are 0. Throws ResourceError if there is no memory for n rows, because a file
/// of a few kilobytes can declare any number of rows.
[[nodiscard]] Matrix all_dual_variables(const FittedModel& model);
/// Returns the weights of all n training rows. Throws ResourceError likewise.
[[nodiscard]] Vector all_row_weights(const FittedModel& model);

}  // namespace dualkpca
