#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dualkpca/dualkpca.hpp"
#include "options.hpp"

namespace dualkpca::app {

/// Options of the commands that send rows through a model, block by block.
struct RowsOptions {
  std::string model{}, data{}, output = "-";
  ReadOptions read{};
  bool quiet = false;
};

/// MODEL, the rows under the name `data`, --output (`what`), the options of reading, --threads and --quiet.
void add_rows_options(CLI::App& app, RowsOptions& options, const std::string& data, const std::string& what);

/// Before any work is done: threads resolved, output can be created. Gives the model.
[[nodiscard]] KernelPCA open_model(RowsOptions& options);

/// What a command makes of a file: called with the number of samples that will come (-1 if nobody knows yet) and the
/// names of the columns (none if the file has none), then once for every block.
struct RowsConsumer {
  std::function<void(Index samples, const std::vector<std::string>& names)> begin;
  /// `rows` begin with the lags' rows before the first sample; `ids` are those of the samples, if there are any.
  std::function<void(const SamplesView& rows, const std::vector<std::string>& ids)> take;
};

/// Runs `use`, which needs something of the model; says which model it is that has it not.
void name_model(const RowsOptions& options, const std::function<void()>& use);

/// Reads the rows with `cols` columns of numbers in blocks of bounded size and hands them on, with the last rows of the
/// block before if the model has lags. Gives how many samples there were. Throws DataError naming the file, with rows
/// counted from its beginning, InvalidArgument naming the model, and Interrupted.
Index for_each_block(const RowsOptions& options, Index cols, Index lags, const RowsConsumer& consumer);

}  // namespace dualkpca::app
