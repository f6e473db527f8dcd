#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <utility>

#include "dualkpca/core/errors.hpp"

namespace dualkpca {

/// The table of names that to_string() and the parse function of an enum share.
template <class Enum, std::size_t N>
using NameTable = std::array<std::pair<Enum, std::string_view>, N>;

template <class Enum, std::size_t N>
std::string_view name_of(const NameTable<Enum, N>& table, Enum value) {
  for (const auto& [key, name] : table)
    if (key == value) return name;
  return "unknown";
}

/// Throws InvalidArgument "unknown <what> 'text'; accepted: a, b, c".
template <class Enum, std::size_t N>
Enum parse_name(const NameTable<Enum, N>& table, std::string_view what, std::string_view text) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) {
    if (table[i].second == text) return table[i].first;
    names[i] = table[i].second;
  }
  throw InvalidArgument(fmt::format("unknown {} '{}'; accepted: {}", what, text, fmt::join(names, ", ")));
}

}  // namespace dualkpca
