#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dualkpca/core/errors.hpp"

namespace dualkpca {

/// Conversion of a number to an integer, which fails unless the number is one and fits. The conversion of the library
/// casts, so 1e300 in a forged file would be undefined behaviour.
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

/// JSON value that keeps the order in which fields are added.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t, std::uint64_t,
                                  double, std::allocator, CheckedIntegers>;

}  // namespace dualkpca
