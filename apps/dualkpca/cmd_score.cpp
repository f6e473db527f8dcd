#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "dualkpca/core/errors.hpp"
#include "exit_codes.hpp"
#include "model_rows.hpp"
#include "output.hpp"

namespace dualkpca::app {
namespace {

struct ScoreOptions {
  RowsOptions rows{};
  bool alarm = false, contributions = false;
};

struct Counts {
  Index rows = 0, outliers = 0;
};

// Columns of the table, in the order in which table_of() fills them.
std::vector<std::string> column_names(const ScoreOptions& options, bool has_limits, std::vector<std::string> names,
                                      Index features) {
  std::vector<std::string> columns = {"t2", "spe"};
  if (has_limits) columns.emplace_back("outlier");
  if (!options.contributions) return columns;
  if (names.empty())
    for (Index j = 1; j <= features; ++j) names.push_back(fmt::format("x{}", j));
  for (const char* statistic : {"t2", "spe"})
    for (const std::string& name : names) columns.push_back(fmt::format("{}_{}", statistic, name));
  return columns;
}

Matrix table_of(const ScoreOptions& options, const KernelPCA& model, const SamplesView& X, Counts& counts) {
  const RowStatistics statistics = model.monitor(X, options.rows.read.threads);
  const std::optional<Limits>& limits = model.limits();
  const Index m = statistics.t2.size(), d = options.contributions ? model.report().n_features : 0;
  Matrix table(m, (limits ? 3 : 2) + 2 * d);
  table.col(0) = statistics.t2;
  table.col(1) = statistics.spe;
  if (limits) {
    // A statistic that is not a number is not below its limit.
    table.col(2) = (!(statistics.t2.array() <= limits->t2) || !(statistics.spe.array() <= limits->spe)).cast<double>();
    counts.outliers += static_cast<Index>(table.col(2).sum());
  }
  if (options.contributions) {
    const Contributions parts = model.contributions(X, options.rows.read.threads);
    table.rightCols(2 * d) << parts.t2, parts.spe;
  }
  counts.rows += m;
  return table;
}

Counts write_statistics(const ScoreOptions& options, const KernelPCA& model) {
  const RowsOptions& rows = options.rows;
  const Index d = model.report().n_features;
  std::unique_ptr<TableWriter> writer;
  Counts counts;
  for_each_block(
      rows, d, model.params().lags,
      {.begin =
           [&](Index count, const std::vector<std::string>& names) {
             writer = make_table_writer(rows.output, column_names(options, model.limits().has_value(), names, d), count,
                                        rows.read.id_col.has_value());
           },
       .take = [&](const SamplesView& X,
                   const std::vector<std::string>& ids) { writer->write(table_of(options, model, X, counts), ids); }});
  writer->commit();
  return counts;
}

int run_score(ScoreOptions options) {
  const KernelPCA model = open_model(options.rows);
  const RowsOptions& rows = options.rows;
  const std::optional<Limits>& limits = model.limits();
  if (options.alarm && !limits)
    throw InvalidArgument(fmt::format("--alarm: {} has no limits to compare with: fit with --limits cv", rows.model));
  const bool to_stdout = is_standard_output(rows.output);
  Counts counts;
  ignore_closed_pipe(to_stdout, [&] { counts = write_statistics(options, model); });
  if (!limits && !rows.quiet)
    print(stderr, fmt::format("dualkpca: {} has no limits, so no row is called an outlier: fit with --limits cv\n",
                              rows.model));
  if (!rows.quiet && !to_stdout)
    print(stdout, limits ? fmt::format("{} rows, {} above a limit (T2 limit {:.4g}, SPE limit {:.4g}), written to {}\n",
                                       counts.rows, counts.outliers, limits->t2, limits->spe, rows.output)
                         : fmt::format("{} rows, written to {}\n", counts.rows, rows.output));
  if (!options.alarm || counts.outliers == 0) return done;
  print(stderr, fmt::format("dualkpca: {} of {} rows are above a limit\n", counts.outliers, counts.rows));
  return alarm;
}

}  // namespace

Command setup_score(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("score", "T2, SPE and outliers among new rows under a fitted model")->group("Commands");
  const auto options = std::make_shared<ScoreOptions>();
  add_rows_options(*parser, options->rows, "DATA", "the statistics");
  parser->add_flag("--alarm", options->alarm, "exit with 1 if a row is above a limit (default: exit with 0)");
  parser->add_flag("--contributions", options->contributions,
                   "also what each column adds to T2 and SPE (default: not written)");
  parser->footer("Example:\n  dualkpca score iris.safetensors new.csv --label-col species --alarm -o statistics.csv");
  return {parser, [options] { return run_score(*options); }};
}

}  // namespace dualkpca::app
