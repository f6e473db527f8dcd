#pragma once

#include "dualkpca/model/kernel_pca_params.hpp"
#include "model/file/json.hpp"

namespace dualkpca {

/// Returns every field under its name, in the order of the list of fields.
[[nodiscard]] Json params_to_json(const KernelPCAParams& params);
/// Reads the parameters. Fields that are newer than the file keep their defaults. Throws Json::exception or
/// InvalidArgument if another field is missing or wrong.
[[nodiscard]] KernelPCAParams params_from_json(const Json& json);

}  // namespace dualkpca
