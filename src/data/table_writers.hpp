#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dualkpca/data/write.hpp"

namespace dualkpca {

[[nodiscard]] std::unique_ptr<TableWriter> make_csv_writer(const std::string& path, char delimiter,
                                                           const std::vector<std::string>& columns, bool with_ids,
                                                           Precision precision);

[[nodiscard]] std::unique_ptr<TableWriter> make_npy_writer(const std::string& path, Index rows, Index cols,
                                                           Precision precision);

/// Throws InvalidArgument.
void require_columns(Index found, Index expected);

}  // namespace dualkpca
