#pragma once

#include <string>
#include <vector>

#include "dualkpca/data/read.hpp"
#include "stop_signal.hpp"

namespace dualkpca::app {

/// Reads DATA with a progress bar; a signal ends it.
[[nodiscard]] Dataset read_observed(const std::string& path, ReadOptions read, bool quiet, const StopSignal& stop);

/// What was taken for names, so that a first row with a typing error in it does not vanish unseen.
[[nodiscard]] std::string names_line(const std::vector<std::string>& names);

/// Throws DataError or InvalidArgument if no fit with so many components can be made of these rows.
void require_usable(const SamplesView& X, const std::string& path, const ReadOptions& read, Index n_components);

}  // namespace dualkpca::app
