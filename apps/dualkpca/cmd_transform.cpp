#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/data/member_path.hpp"
#include "dualkpca/dualkpca.hpp"
#include "exit_codes.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "scores.hpp"
#include "stop_signal.hpp"

namespace dualkpca::app {
namespace {

struct TransformOptions {
  std::string model{}, data{}, output = "-";
  ReadOptions read{};
  bool quiet = false;
};

// Rows held at once: enough for every thread, and few enough that memory does not depend on the length of the data.
Index rows_at_once(int threads) { return std::max<Index>(4096, Index{2048} * threads); }

void require_columns(const TransformOptions& options, const KernelPCA& model, Index cols) {
  const FitReport& report = model.report();
  if (cols != report.n_features)
    throw DataError(fmt::format("{}: has {} columns of numbers; {} was fitted on {}", options.data, cols, options.model,
                                report.n_features));
}

Matrix transform_block(const TransformOptions& options, const KernelPCA& model, const SamplesView& X, Index first) {
  X.require_finite(options.data, first);
  try {
    return model.transform(X, options.read.threads);
  } catch (const DataError& error) {
    const std::string where = first == 0 ? "" : fmt::format("counted from row {}: ", first + 1);
    throw DataError(fmt::format("{}: {}{}", options.data, where, error.what()));
  }
}

// Returns how many rows there were.
Index write_scores(TransformOptions& options, const KernelPCA& model) {
  const StopSignal stop;
  ProgressBar bar(!options.quiet && !is_standard_output(options.output));
  options.read.observe = [&](const Progress& progress) {
    bar.show(progress);
    return !stop.requested();
  };
  const auto stream = open_dataset(options.data, options.read);
  const auto next = [&] { return stream->next(rows_at_once(options.read.threads)); };
  Dataset block = next();  // a text where a number should be says more than the number of columns does
  require_columns(options, model, block.samples.view().cols());
  const bool with_ids = options.read.id_col.has_value();
  const auto writer = make_score_writer(options.output, stream->rows(), model.report().n_components, with_ids);
  Index done_rows = 0;
  for (; block.samples.view().rows() > 0; block = next()) {
    if (stop.requested()) throw Interrupted("interrupted; nothing was written");
    writer->write(transform_block(options, model, block.samples.view(), done_rows), block.ids);
    done_rows += block.samples.view().rows();
  }
  writer->commit();
  return done_rows;
}

int run_transform(TransformOptions options) {
  options.read.threads = resolve_threads(options.read.threads);
  check_outputs({{"MODEL", options.model}, {"DATA", split_member_path(options.data).file}},
                {{"--output", options.output, true}});
  const KernelPCA model = KernelPCA::load(options.model);
  options.read.n_features = model.report().n_features;  // of LIBSVM, whose rows end where they like
  const bool to_stdout = is_standard_output(options.output);
  Index rows = 0;
  write_forgivingly(to_stdout, [&] { rows = write_scores(options, model); });
  if (!options.quiet && !to_stdout)
    print(stdout,
          fmt::format("{} scores of {} rows written to {}\n", model.report().n_components, rows, options.output));
  return done;
}

}  // namespace

Command setup_transform(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("transform", "Scores of new rows under a fitted model")->group("Commands");
  const auto options = std::make_shared<TransformOptions>();
  parser->add_option("MODEL", options->model, "made by dualkpca fit")->required()->type_name("");
  parser->add_option("DATA", options->data, data_help)->required()->type_name("");
  parser
      ->add_option("-o,--output", options->output,
                   "the scores, in the format of its extension (default: standard output, as CSV)")
      ->type_name("FILE");
  add_read_options(*parser, options->read);
  add_threads(*parser, options->read.threads);
  parser->add_flag("--quiet", options->quiet,
                   "print nothing but errors and the scores (default: say what was written)");
  parser->footer("Example:\n  dualkpca transform iris.safetensors new.csv --label-col species -o scores.csv");
  return {parser, [options] { return run_transform(*options); }};
}

}  // namespace dualkpca::app
