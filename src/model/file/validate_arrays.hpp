#pragma once

#include "model/file/declared_model.hpp"

namespace dualkpca {

/// Checks the arrays of a model: the second half of validate_model(), after the check of the header.
void validate_arrays(const std::string& path, const DeclaredModel& model, const DeclaredSizes& sizes);

}  // namespace dualkpca
