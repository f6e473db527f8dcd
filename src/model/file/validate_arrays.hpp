#pragma once

#include "model/file/declared_model.hpp"

namespace dualkpca {

/// The half of validate_model() that is about the arrays, once the header has been found to be sound.
void validate_arrays(const std::string& path, const DeclaredModel& model, const DeclaredSizes& sizes);

}  // namespace dualkpca
