#pragma once

#include <memory>
#include <string>

#include "dualkpca/data/write.hpp"

namespace dualkpca::app {

/// A table with columns pc1, pc2, ... and, with ids, a column of those before them.
[[nodiscard]] std::unique_ptr<TableWriter> make_score_writer(const std::string& path, Index rows, Index components,
                                                             bool with_ids);

}  // namespace dualkpca::app
