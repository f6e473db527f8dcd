#pragma once

#include <string>
#include <vector>

#include "dualkpca/data/read.hpp"
#include "process/stop_signal.hpp"

namespace dualkpca::app {

/// Resolves the number of threads and sets it for BLAS and for reading. Reading gets the same budget of memory.
void share_resources(int& threads, std::size_t memory, ReadOptions& read);

/// Reads DATA with a progress bar. A signal ends the reading.
[[nodiscard]] Dataset read_with_progress(const std::string& path, ReadOptions read, bool quiet, const StopSignal& stop);

/// Returns a line with the first column names. It lets the user see if a first row with a typing error was taken for
/// names.
[[nodiscard]] std::string column_names_line(const std::vector<std::string>& names);

/// Throws DataError or InvalidArgument if no model with so many components can be fitted to these rows.
void require_fittable(const SamplesView& X, const std::string& path, const ReadOptions& read, Index n_components);

}  // namespace dualkpca::app
