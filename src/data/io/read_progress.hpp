#pragma once

#include <fmt/format.h>

#include <string>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/observer.hpp"

namespace dualkpca {

/// Reports the share of the file `name` that was read. Throws Interrupted if the observer stops it.
inline void report_read(const Observer& observe, Index done, Index all, const std::string& name) {
  if (!observe) return;
  const double fraction = all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 1.0;
  if (!observe({.stage = Progress::Stage::read, .fraction = fraction}))
    throw Interrupted(fmt::format("stopped while {} was being read", name));
}

}  // namespace dualkpca
