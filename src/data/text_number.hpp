#pragma once

#include <string_view>

namespace dualkpca {

/// Parses a decimal number at `at`: a leading '+' is accepted, and a number too small for float64 is 0. Returns where
/// it ends, or nullptr if there is no number or it is infinite, NaN or too large.
[[nodiscard]] const char* parse_number(const char* at, const char* end, double& value);

/// Returns the text without the spaces and tabs around it.
[[nodiscard]] std::string_view trim(std::string_view text);

/// Content of a field. `missing` is an empty field, NaN or one of the usual words for a missing value.
enum class FieldContent { number, missing, infinite, too_large, text };
[[nodiscard]] FieldContent content_of(std::string_view field);

}  // namespace dualkpca
