#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dualkpca/data/write.hpp"
#include "rows/sample_blocks.hpp"

namespace dualkpca::app {

/// Returns the layout of the table for the column names of DATA, of which there may be none.
using LayoutOf = std::function<TableLayout(const std::vector<std::string>& names)>;

/// Returns a row of the table for each sample of a block. With lags the block begins with the rows before its first
/// sample.
using RowMap = std::function<Matrix(const SamplesView& block)>;

/// Reads DATA block by block, applies `map` and writes the results to --output. Returns the number of samples, or 0 if
/// the reader of standard output has gone. Throws DataError naming the file, with rows counted from its beginning,
/// InvalidArgument naming the model, and Interrupted.
[[nodiscard]] Index write_rows(const RowsOptions& options, const InputRows& input, const LayoutOf& layout_of,
                               const RowMap& map);

}  // namespace dualkpca::app
