#include "model_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/data/member_path.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "stop_signal.hpp"

namespace dualkpca::app {
namespace {

// Rows held at once: enough for every thread, and few enough that memory does not depend on the length of the data.
Index rows_at_once(int threads) { return std::max<Index>(4096, Index{2048} * threads); }

// Blocks of a series: each begins with the last rows of the one before.
class LaggedBlocks {
 public:
  explicit LaggedBlocks(Index lags) : lags_(lags) {}

  // The view lives until the next call.
  [[nodiscard]] SamplesView with_rows_before(const SamplesView& block) {
    if (lags_ == 0) return block;
    const Index before = std::min(lags_, rows_.rows());
    Matrix rows(before + block.rows(), block.cols());
    if (before > 0) rows.topRows(before) = rows_.bottomRows(before);  // nothing is before the first block
    for (Index i = 0; i < block.rows(); ++i) block.copy_row(i, rows.row(before + i).data());
    rows_ = std::move(rows);
    return rows_;
  }

 private:
  Index lags_;
  Matrix rows_{};
};

}  // namespace

void add_rows_options(CLI::App& app, RowsOptions& options, const std::string& data, const std::string& what) {
  app.add_option("MODEL", options.model, "made by dualkpca fit")->required()->type_name("");
  app.add_option(data, options.data, data_help)->required()->type_name("");
  app.add_option("-o,--output", options.output,
                 fmt::format("{}, in the format of its extension (default: standard output, as CSV)", what))
      ->type_name("FILE");
  add_read_options(app, options.read);
  add_threads(app, options.read.threads);
  app.add_flag("--quiet", options.quiet,
               fmt::format("print nothing but errors and {} (default: say what was written)", what));
}

KernelPCA open_model(RowsOptions& options) {
  options.read.threads = resolve_threads(options.read.threads);
  check_outputs({{"MODEL", options.model}, {"DATA", split_member_path(options.data).file}},
                {{"--output", options.output, true}});
  return KernelPCA::load(options.model);
}

void name_model(const RowsOptions& options, const std::function<void()>& use) {
  try {
    use();
  } catch (const InvalidArgument& error) {
    const std::string text = speak_of_option(error.what());
    throw InvalidArgument(text == error.what() ? fmt::format("{}: {}", options.model, text) : text);
  }
}

Index for_each_block(const RowsOptions& options, Index cols, Index lags, const RowsConsumer& consumer) {
  const StopSignal stop;
  ProgressBar bar(!options.quiet && !is_standard_output(options.output));
  ReadOptions read = options.read;
  read.n_features = cols;  // of LIBSVM, whose rows end where they like
  read.observe = [&](const Progress& progress) {
    bar.show(progress);
    return !stop.requested();
  };
  const auto stream = open_dataset(options.data, read);
  const auto next = [&] { return stream->next(rows_at_once(read.threads)); };
  Dataset block = next();  // a text where a number should be says more than the number of columns does
  if (const Index found = block.samples.view().cols(); found != cols)
    throw DataError(
        fmt::format("{}: has {} columns of numbers; {} needs {}", options.data, found, options.model, cols));
  const Index rows = stream->rows();
  if (rows >= 0 && rows <= lags)
    throw DataError(
        fmt::format("{}: has {} rows; the {} lags of {} need more than that", options.data, rows, lags, options.model));
  consumer.begin(rows < 0 ? -1 : rows - lags, stream->feature_names());
  LaggedBlocks blocks(lags);
  Index read_rows = 0;
  for (; block.samples.view().rows() > 0; block = next()) {
    if (stop.requested()) throw Interrupted("interrupted; nothing was written");
    const SamplesView& X = block.samples.view();
    X.require_finite(options.data, read_rows);
    const SamplesView series = blocks.with_rows_before(X);
    read_rows += X.rows();
    const Index first = read_rows - series.rows();
    if (series.rows() <= lags) continue;
    if (const Index samples = series.rows() - lags; static_cast<Index>(block.ids.size()) > samples)
      block.ids.erase(block.ids.begin(), block.ids.end() - samples);
    try {
      name_model(options, [&] { consumer.take(series, block.ids); });
    } catch (const DataError& error) {
      const std::string where = first == 0 ? "" : fmt::format("counted from row {}: ", first + 1);
      throw DataError(fmt::format("{}: {}{}", options.data, where, error.what()));
    }
  }
  if (read_rows <= lags)
    throw DataError(fmt::format("{}: has {} rows; the {} lags of {} need more than that", options.data, read_rows, lags,
                                options.model));
  return read_rows - lags;
}

}  // namespace dualkpca::app
