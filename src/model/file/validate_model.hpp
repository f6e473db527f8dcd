#pragma once

#include "model/file/declared_model.hpp"

namespace dualkpca {

/// Checks everything that a model file declares. A checksum is not enough, because whoever forges a file computes it
/// anew. After this call the file has every array that the model needs, with the right type and shape, and no other
/// array. Every count agrees with them, every index is in its range and every number is finite, so no reader needs to
/// check again. Throws DataError.
void validate_model(const std::string& path, const DeclaredModel& model);

}  // namespace dualkpca
