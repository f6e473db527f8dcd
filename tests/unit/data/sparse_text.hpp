#pragma once

#include <sstream>
#include <string>

#include "dualkpca/data/samples.hpp"

namespace dualkpca::test {

/// Returns the stored entries as "column:value", with columns from 0 and " / " between rows.
inline std::string entries_of(const SamplesView& X) {
  std::ostringstream out;
  for (Index i = 0; i < X.rows(); ++i) {
    if (i > 0) out << " /";
    X.for_each_entry(i, [&](Index j, double value) { out << ' ' << j << ':' << value; });
  }
  return out.str();
}

}  // namespace dualkpca::test
