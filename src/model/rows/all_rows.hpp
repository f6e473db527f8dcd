#pragma once

#include "model/fitted_model.hpp"

namespace dualkpca {

/// A sparse model holds nothing of the rows that it did not keep: they have zeros for dual variables and the weight 0.
/// These give all n rows. Throw ResourceError if there is no memory for so many, since a file of a few kilobytes can
/// declare any number of rows.
[[nodiscard]] Matrix all_dual_variables(const FittedModel& model);
[[nodiscard]] Vector all_row_weights(const FittedModel& model);

}  // namespace dualkpca
