#include "data/text_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace dualkpca {
namespace {

// Returns whether a number outside the range of float64 is too small rather than too large, which std::from_chars does
// not say. It is too small if its first digit that is not 0 stands right of the decimal point, once the exponent has
// moved that.
bool is_below_one(const char* at, const char* end) {
  const char* exponent_at = std::find_if(at, end, [](char c) { return c == 'e' || c == 'E'; });
  const char* point = std::find(at, exponent_at, '.');
  const char* first = std::find_if(at, exponent_at, [](char c) { return c >= '1' && c <= '9'; });
  std::int64_t exponent = 0;
  if (exponent_at != end) {
    const char* digits = exponent_at + (exponent_at[1] == '+' ? 2 : 1);
    if (std::from_chars(digits, end, exponent).ec != std::errc{}) return *digits == '-';
    constexpr std::int64_t longer_than_any_file = std::int64_t{1} << 62;
    exponent = std::clamp(exponent, -longer_than_any_file, longer_than_any_file);
  }
  return (first < point ? point - first - 1 : point - first) + exponent < 0;
}

const char* skip_plus(const char* at, const char* end) {
  const bool plus = at != end && *at == '+' && at + 1 != end && at[1] != '-';
  return plus ? at + 1 : at;
}

}  // namespace

const char* parse_number(const char* at, const char* end, double& value) {
  at = skip_plus(at, end);
  const auto [stop, error] = std::from_chars(at, end, value);
  if (error == std::errc{}) return std::isfinite(value) ? stop : nullptr;
  if (error != std::errc::result_out_of_range || !is_below_one(at, stop)) return nullptr;
  value = 0;
  return stop;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

FieldContent content_of(std::string_view field) {
  field = trim(field);
  constexpr std::array<std::string_view, 7> missing = {"", "NA", "NaN", "nan", "null", "NULL", "?"};
  if (std::find(missing.begin(), missing.end(), field) != missing.end()) return FieldContent::missing;
  const char* end = field.data() + field.size();
  double value = 0;
  if (parse_number(field.data(), end, value) == end) return FieldContent::number;
  const auto [stop, error] = std::from_chars(skip_plus(field.data(), end), end, value);
  if (stop != end || error == std::errc::invalid_argument) return FieldContent::text;
  if (error == std::errc::result_out_of_range) return FieldContent::too_large;
  return std::isnan(value) ? FieldContent::missing : FieldContent::infinite;
}

}  // namespace dualkpca
