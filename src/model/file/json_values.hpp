#pragma once

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/types.hpp"
#include "model/file/json.hpp"

namespace dualkpca {

/// JSON has no NaN and no infinity: they become null.
[[nodiscard]] inline Json number_to_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// null becomes NaN.
[[nodiscard]] inline double number_from_json(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

/// An absent value becomes null.
template <class T>
[[nodiscard]] Json optional_to_json(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_floating_point_v<T>) return number_to_json(*value);
  if constexpr (std::is_enum_v<T>)
    return to_string(*value);
  else
    return *value;
}

/// Returns the one of `values` whose to_string() is the text. Throws InvalidArgument with the name of the field.
template <class Enum>
[[nodiscard]] Enum one_of_from_json(const Json& json, const char* field, std::initializer_list<Enum> values) {
  const auto name = json.get<std::string>();
  for (const Enum value : values)
    if (to_string(value) == name) return value;
  throw InvalidArgument(fmt::format("unknown {} '{}'", field, name));
}

[[nodiscard]] inline Precision precision_from_json(const Json& json) {
  return one_of_from_json(json, "precision", {Precision::float32, Precision::float64});
}

}  // namespace dualkpca
