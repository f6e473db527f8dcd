#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/dualkpca.hpp"
#include "exit_codes.hpp"
#include "options.hpp"
#include "output.hpp"
#include "scores.hpp"
#include "stop_signal.hpp"

namespace dualkpca::app {
namespace {

constexpr Index block_rows = 4096;

struct TransformOptions {
  std::string model{}, data{}, output = "-";
  ReadOptions read{};
  bool quiet = false;
};

void require_usable(const TransformOptions& options, const KernelPCA& model, const SamplesView& X) {
  const FitReport& report = model.report();
  if (X.cols() != report.n_features)
    throw DataError(fmt::format("{}: has {} columns of numbers; {} was fitted on {}", options.data, X.cols(),
                                options.model, report.n_features));
  X.require_finite(options.data);
}

Matrix transform_block(const TransformOptions& options, const KernelPCA& model, const SamplesView& X, Index first,
                       Index count) {
  try {
    return model.transform(X.slice(first, count), options.read.threads);
  } catch (const DataError& error) {
    const std::string where = first == 0 ? "" : fmt::format("counted from row {}: ", first + 1);
    throw DataError(fmt::format("{}: {}{}", options.data, where, error.what()));
  }
}

void write_scores(const TransformOptions& options, const KernelPCA& model, const Dataset& data) {
  const StopSignal stop;
  const SamplesView& X = data.samples.view();
  const auto writer = make_score_writer(options.output, X.rows(), model.report().n_components, !data.ids.empty());
  for (Index first = 0; first < X.rows(); first += block_rows) {
    if (stop.requested()) throw Interrupted("interrupted; nothing was written");
    const Index count = std::min(block_rows, X.rows() - first);
    const auto ids = data.ids.begin();
    const std::vector<std::string> block_ids =
        data.ids.empty() ? data.ids : std::vector<std::string>(ids + first, ids + first + count);
    writer->write(transform_block(options, model, X, first, count), block_ids);
  }
  writer->commit();
}

int run_transform(TransformOptions options) {
  options.read.threads = resolve_threads(options.read.threads);
  check_outputs({{"MODEL", options.model}, {"DATA", options.data}}, {{"--output", options.output, true}});
  const KernelPCA model = KernelPCA::load(options.model);
  const Dataset data = read_dataset(options.data, options.read);
  require_usable(options, model, data.samples.view());
  const bool to_stdout = is_standard_output(options.output);
  write_forgivingly(to_stdout, [&] { write_scores(options, model, data); });
  if (!options.quiet && !to_stdout)
    print(stdout, fmt::format("{} scores of {} rows written to {}\n", model.report().n_components,
                              data.samples.view().rows(), options.output));
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
                   "the scores are written here: .csv, .tsv or .npy (default: standard output, as CSV)")
      ->type_name("FILE");
  add_read_options(*parser, options->read);
  add_threads(*parser, options->read.threads);
  parser->add_flag("--quiet", options->quiet,
                   "print nothing but errors and the scores (default: say what was written)");
  parser->footer("Example:\n  dualkpca transform iris.safetensors new.csv --label-col species -o scores.csv");
  return {parser, [options] { return run_transform(*options); }};
}

}  // namespace dualkpca::app
