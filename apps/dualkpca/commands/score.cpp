#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "dualkpca/core/errors.hpp"
#include "process/exit_codes.hpp"
#include "process/output.hpp"
#include "rows/write_rows.hpp"

namespace dualkpca::app {
namespace {

struct ScoreOptions {
  RowsOptions rows{};
  bool alarm = false, contributions = false;
};

// Returns the columns of the table, in the order in which table_of() fills them.
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

Matrix table_of(const ScoreOptions& options, const KernelPCA& model, const SamplesView& X, Index& outliers) {
  const RowStatistics statistics = model.monitor(X, options.rows.read.threads);
  const std::optional<Limits>& limits = model.limits();
  const Index m = statistics.t2.size(), d = options.contributions ? model.report().n_features : 0;
  Matrix table(m, (limits ? 3 : 2) + 2 * d);
  table.col(0) = statistics.t2;
  table.col(1) = statistics.spe;
  if (limits) {
    // A statistic that is NaN also makes a row an outlier, so the comparisons are negated.
    table.col(2) = (!(statistics.t2.array() <= limits->t2) || !(statistics.spe.array() <= limits->spe)).cast<double>();
    outliers += static_cast<Index>(table.col(2).sum());
  }
  if (options.contributions) {
    const Contributions parts = model.contributions(X, options.rows.read.threads);
    table.rightCols(2 * d) << parts.t2, parts.spe;
  }
  return table;
}

std::string summary(const std::string& output, const std::optional<Limits>& limits, Index rows, Index outliers) {
  if (!limits) return fmt::format("{} rows, written to {}\n", rows, output);
  return fmt::format("{} rows, {} above a limit (T2 limit {:.4g}, SPE limit {:.4g}), written to {}\n", rows, outliers,
                     limits->t2, limits->spe, output);
}

int run_score(ScoreOptions options) {
  const KernelPCA model = open_model(options.rows);
  const RowsOptions& files = options.rows;
  const std::optional<Limits>& limits = model.limits();
  if (options.alarm && !limits)
    throw InvalidArgument(fmt::format("--alarm: {} has no limits to compare with: fit with --limits cv", files.model));
  const auto layout_of = [&](const std::vector<std::string>& names) {
    return TableLayout{.columns = column_names(options, limits.has_value(), names, model.report().n_features)};
  };
  Index outliers = 0;
  const Index rows = write_rows(files, input_of(model), layout_of,
                                [&](const SamplesView& X) { return table_of(options, model, X, outliers); });
  if (!limits && !files.quiet)
    print(stderr, fmt::format("dualkpca: {} has no limits, so no row is called an outlier: fit with --limits cv\n",
                              files.model));
  say_written(files.output, files.quiet, summary(files.output, limits, rows, outliers));
  const bool is_read_to_end = rows > 0;  // a reader that closed the pipe early does not wait for an alarm
  if (!options.alarm || !is_read_to_end || outliers == 0) return done;
  print(stderr, fmt::format("dualkpca: {} of {} rows are above a limit\n", outliers, rows));
  return alarm;
}

}  // namespace

Command setup_score(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("score",
                         "Computes T2 and SPE of new rows under a fitted model and marks the outliers.\n"
                         "T2 is Hotelling's T-squared, the squared distance from the centre within the components.\n"
                         "SPE is the squared prediction error, the squared distance from the components.")
          ->group("Commands");
  const auto options = std::make_shared<ScoreOptions>();
  add_rows_options(*parser, options->rows, "DATA", "the statistics");
  parser->add_flag("--alarm", options->alarm, "exit with code 1 if a row is above a limit (default: exit with code 0)");
  parser->add_flag("--contributions", options->contributions,
                   "also write how much each column adds to T2 and SPE (default: not written)");
  parser->footer(
      "A row is an outlier if its T2 or its SPE is above the limit that the fit has learnt. T2 is large for\n"
      "rows that are extreme in a direction of the components. SPE is large for rows that the components do not\n"
      "describe.\n\n"
      "Example:\n  dualkpca score iris.safetensors new.csv --label-col species --alarm -o statistics.csv");
  return {parser, [options] { return run_score(*options); }};
}

}  // namespace dualkpca::app
