#include "rows/fit_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "options/read_options.hpp"
#include "process/progress.hpp"

namespace dualkpca::app {
namespace {

std::vector<std::pair<Index, double>> nonzeros_of(const SamplesView& X, Index i) {
  std::vector<std::pair<Index, double>> entries;
  X.for_each_entry(i, [&](Index j, double value) {
    if (value != 0) entries.emplace_back(j, value);
  });
  return entries;
}

}  // namespace

void share_resources(int& threads, std::size_t memory, ReadOptions& read) {
  threads = compute_threads(threads);
  read.threads = threads;
  read.memory = memory;
  set_blas_threads(threads);
}

std::string column_names_line(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  constexpr std::size_t shown = 5;
  const std::size_t count = std::min(names.size(), shown);
  return fmt::format("columns named by the first line: {}{}\n",
                     fmt::join(names.begin(), names.begin() + static_cast<Index>(count), ", "),
                     names.size() > shown ? ", ..." : "");
}

void require_fittable(const SamplesView& X, const std::string& path, const ReadOptions& read, Index n_components) {
  if (X.rows() < 2) throw DataError(fmt::format("{}: has {} row; a fit needs at least 2", path, X.rows()));
  require_n_features(read, path, X.cols());
  X.require_finite(path);
  if (n_components > X.rows())
    throw InvalidArgument(
        fmt::format("--n-components: {} is more than the {} rows of {}", n_components, X.rows(), path));
  const auto first = nonzeros_of(X, 0);
  for (Index i = 1; i < X.rows(); ++i)
    if (nonzeros_of(X, i) != first) return;
  throw DataError(fmt::format("{}: all {} rows are the same, so there is no variance to explain", path, X.rows()));
}

Dataset read_with_progress(const std::string& path, ReadOptions read, bool quiet, const StopSignal& stop) {
  ProgressBar bar(!quiet);
  read.observe = observe_with(bar, stop);
  return read_dataset(path, read);
}

}  // namespace dualkpca::app
