#pragma once

#include "model/file/json.hpp"
#include "model/preimage/preimage.hpp"

namespace dualkpca {

/// Returns every field of the report under its own name.
[[nodiscard]] Json preimage_to_json(const PreimageReport& report);
/// Reads a report. Throws Json::exception or InvalidArgument if a field is missing or wrong.
[[nodiscard]] PreimageReport preimage_from_json(const Json& json);

}  // namespace dualkpca
