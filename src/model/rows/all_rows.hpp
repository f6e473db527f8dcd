#pragma once

#include "model/fitted_model.hpp"

namespace dualkpca {

/// A model that holds its support only stores nothing for the other rows: their dual variables and weights are 0. These
/// functions give all n rows. Throw ResourceError if there is no memory for so many, since a file of a few kilobytes
/// can declare any number of rows.
[[nodiscard]] Matrix all_dual_variables(const FittedModel& model);
[[nodiscard]] Vector all_row_weights(const FittedModel& model);

}  // namespace dualkpca
