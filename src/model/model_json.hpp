#pragma once

#include <nlohmann/json.hpp>

#include "dualkpca/model/fit_report.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// Keeps the order in which fields are added.
using Json = nlohmann::ordered_json;

/// Every parameter under the name of its option, with '_' for '-'.
[[nodiscard]] Json params_to_json(const KernelPCAParams& params);
/// Throws Json::exception or InvalidArgument if a field is missing or wrong.
[[nodiscard]] KernelPCAParams params_from_json(const Json& json);

/// Every field of the report under its own name. What is not finite becomes null.
[[nodiscard]] Json report_to_json(const FitReport& report);
/// Throws Json::exception or InvalidArgument if a field is missing or wrong.
[[nodiscard]] FitReport report_from_json(const Json& json);

/// Of the library that made the fit.
[[nodiscard]] std::string version_of(const FitReport& report);

}  // namespace dualkpca
