#include "data/csv/csv_layout.hpp"

#include <algorithm>

namespace dualkpca {

Index CsvLayout::count(CsvRole role) const { return std::count(roles.begin(), roles.end(), role); }

std::vector<std::string> CsvLayout::feature_names() const {
  std::vector<std::string> features;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (roles[c] == CsvRole::number) features.push_back(names[c]);
  return features;
}

}  // namespace dualkpca
