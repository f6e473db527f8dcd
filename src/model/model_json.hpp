#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/fit_report.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// Reads a number into an integer only if it is one and fits. The library's own conversion casts: 1e300 in a forged
/// file would be undefined behaviour.
template <class T, class = void>
struct CheckedIntegers : nlohmann::adl_serializer<T> {};

template <class T>
struct CheckedIntegers<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  template <class AnyJson>
  static void to_json(AnyJson& json, T value) {
    nlohmann::to_json(json, value);
  }
  template <class AnyJson>
  static void from_json(const AnyJson& json, T& value) {
    const auto* positive = json.template get_ptr<const typename AnyJson::number_unsigned_t*>();
    const auto* any = json.template get_ptr<const typename AnyJson::number_integer_t*>();
    if (positive != nullptr ? !std::in_range<T>(*positive) : any == nullptr || !std::in_range<T>(*any))
      throw InvalidArgument("'" + json.dump() + "' is not an integer within the range of its field");
    value = positive != nullptr ? static_cast<T>(*positive) : static_cast<T>(*any);
  }
};

/// Keeps the order in which fields are added.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t, std::uint64_t,
                                  double, std::allocator, CheckedIntegers>;

/// JSON has no NaN and no infinity: they become null.
[[nodiscard]] inline Json number_to_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// An absent value becomes null.
template <class T>
[[nodiscard]] Json optional_to_json(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_floating_point_v<T>) return number_to_json(*value);
  return *value;
}

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
