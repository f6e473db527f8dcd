#pragma once

#include "model/file/declared_model.hpp"

namespace dualkpca {

/// Checks everything that a model file declares. A checksum only shows that a file has not changed since it was
/// written: whoever forges a file computes it anew. After this call every array that the model needs is there with the
/// right type and shape, no other array is, every count agrees with them, every index is in its range and every number
/// is finite, so that no reader has to check again. Throws DataError.
void validate_model(const std::string& path, const DeclaredModel& model);

}  // namespace dualkpca
