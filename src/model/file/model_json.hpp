#pragma once

#include <cmath>
#include <optional>
#include <type_traits>

#include "dualkpca/model/fit_report.hpp"
#include "model/file/json.hpp"

namespace dualkpca {

/// JSON has no NaN and no infinity: they become null.
[[nodiscard]] inline Json number_to_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// An absent value becomes null.
template <class T>
[[nodiscard]] Json optional_to_json(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_floating_point_v<T>) return number_to_json(*value);
  return *value;
}

/// Every field of the report under its own name. What is not finite becomes null.
[[nodiscard]] Json report_to_json(const FitReport& report);
/// Throws Json::exception or InvalidArgument if a field is missing or wrong.
[[nodiscard]] FitReport report_from_json(const Json& json);

/// Of the library that made the fit.
[[nodiscard]] std::string version_of(const FitReport& report);

}  // namespace dualkpca
