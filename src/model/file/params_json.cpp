#include "model/file/params_json.hpp"

#include <optional>
#include <string>
#include <type_traits>

#include "dualkpca/model/kernel_pca_fields.hpp"
#include "model/file/json_values.hpp"

namespace dualkpca {
namespace {

template <class T>
Json field_to_json(const T& value) {
  if constexpr (std::is_enum_v<T>) return to_string(value);
  if constexpr (std::is_floating_point_v<T>) return number_to_json(value);
  if constexpr (std::is_integral_v<T>) return value;
}

Json field_to_json(const std::optional<double>& value) { return optional_to_json(value); }
Json field_to_json(const std::optional<Index>& value) { return value ? Json(*value) : Json("auto"); }
Json field_to_json(const std::optional<Precision>& value) { return value ? to_string(*value) : "auto"; }
Json field_to_json(const Components& value) {
  return value.fraction > 0 ? number_to_json(value.fraction) : Json(value.count);
}
Json field_to_json(const Gamma& value) {
  switch (value.rule) {
    case GammaRule::value: return number_to_json(value.value);
    case GammaRule::automatic: return "auto";
    case GammaRule::scale: return "scale";
    case GammaRule::median: return "median";
  }
  return nullptr;
}

template <class T>
void field_from_json(const Json& json, const Field& field, T& value) {
  if constexpr (std::is_enum_v<T>) {
    set_by_name(value, json.get<std::string>());
  } else if constexpr (std::is_floating_point_v<T>) {
    value = field.null_means_nan ? number_from_json(json) : json.get<double>();
  } else {
    value = json.get<T>();
  }
}

template <class T>
void field_from_json(const Json& json, const Field& /*field*/, std::optional<T>& value) {
  if (json.is_number()) value = json.get<T>();
}

void field_from_json(const Json& json, const Field& /*field*/, std::optional<Precision>& value) {
  if (json.get<std::string>() != "auto") value = precision_from_json(json);
}

void field_from_json(const Json& json, const Field& /*field*/, Components& value) {
  value = json.is_number_float() ? Components(json.get<double>()) : Components(json.get<Index>());
}

void field_from_json(const Json& json, const Field& /*field*/, Gamma& value) {
  value = json.is_string() ? parse_gamma(json.get<std::string>()) : Gamma(number_from_json(json));
}

// Optional numbers may be missing from a file.
template <class T>
constexpr bool may_be_left_out = std::is_same_v<T, std::optional<double>>;

}  // namespace

Json params_to_json(const KernelPCAParams& params) {
  Json json = Json::object();
  for_each_field(params,
                 [&](const Field& field, const auto& value) { json[std::string(field.name)] = field_to_json(value); });
  return json;
}

KernelPCAParams params_from_json(const Json& json) {
  KernelPCAParams params;
  for_each_field(params, [&]<class T>(const Field& field, T& value) {
    const std::string name(field.name);
    if (!field.came_with.empty() && !json.contains(std::string(field.came_with))) return;
    if (may_be_left_out<T> && !json.contains(name)) return;
    field_from_json(json.at(name), field, value);
  });
  return params;
}

}  // namespace dualkpca
