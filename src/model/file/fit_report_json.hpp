#pragma once

#include <string>

#include "dualkpca/model/fit_report.hpp"
#include "model/file/json.hpp"

namespace dualkpca {

/// Every field of the report under its own name. Numbers that are not finite become null.
[[nodiscard]] Json report_to_json(const FitReport& report);
/// Throws Json::exception or InvalidArgument if a field is missing or wrong.
[[nodiscard]] FitReport report_from_json(const Json& json);

/// Version of the library that made the fit.
[[nodiscard]] std::string version_of(const FitReport& report);

}  // namespace dualkpca
