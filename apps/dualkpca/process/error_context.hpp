#pragma once

#include <fmt/format.h>

#include <string>

#include "dualkpca/core/errors.hpp"

namespace dualkpca::app {

/// Runs `use` and returns its result. A DataError that it throws is rethrown with `context` in front of its message.
template <class Use>
auto with_data_context(const std::string& context, const Use& use) {
  try {
    return use();
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", context, error.what()));
  }
}

}  // namespace dualkpca::app
