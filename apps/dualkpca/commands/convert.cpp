#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "commands/commands.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/data/member_path.hpp"
#include "dualkpca/dualkpca.hpp"
#include "options/field_options.hpp"
#include "options/option_values.hpp"
#include "options/read_options.hpp"
#include "process/check_outputs.hpp"
#include "process/exit_codes.hpp"
#include "process/output.hpp"
#include "process/progress.hpp"
#include "process/stop_signal.hpp"

namespace dualkpca::app {
namespace {

constexpr Index block_rows = 4096;

struct ConvertOptions {
  std::string input{}, output{};
  ReadOptions read{};
  std::optional<FileFormat> to{};
  std::optional<Precision> precision{};
  bool quiet = false;
};

// Throws DataError for values that OUT cannot hold: those that are not finite, or too large for float32.
void require_storable(const SamplesView& block, Index first_row, const TableLayout& layout, const std::string& name) {
  const double largest =
      layout.precision == Precision::float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  for (Index i = 0; i < block.rows(); ++i)
    block.for_each_entry(i, [&](Index j, double value) {
      if (std::abs(value) <= largest) return;
      throw DataError(fmt::format(
          "{}: row {}, column {}: {}", name, first_row + i + 1, j + 1,
          std::isfinite(value)
              ? fmt::format("{} is too large for float32; use --precision float64", value)
              : fmt::format("the value is {}; every value must be a finite number", std::isnan(value) ? "NaN"
                                                                                    : value > 0       ? "infinity"
                                                                                                      : "-infinity")));
    });
}

// Returns the name that the user gave to the column, or `standard` if the user gave its number.
std::string name_or(const std::optional<std::string>& column, const std::string& standard) {
  const bool is_name = column && column->find_first_not_of("0123456789") != std::string::npos;
  return is_name ? *column : standard;
}

TableLayout layout_for(const ConvertOptions& options, const Dataset& first, const std::vector<std::string>& names) {
  const SamplesView& X = first.samples.view();
  require_n_features(options.read, options.input, X.cols());
  TableLayout layout;
  layout.columns = names;
  layout.cols = X.cols();
  layout.sparse = X.is_sparse();
  layout.with_ids = !first.ids.empty();
  layout.with_labels = !first.labels.empty();
  layout.with_header = !names.empty() || layout.with_ids || layout.with_labels;
  layout.id_name = name_or(options.read.id_col, layout.id_name);
  layout.label_name = name_or(options.read.label_col, layout.label_name);
  layout.precision = options.precision.value_or(X.precision());
  layout.format = options.to;
  return layout;
}

// Returns the next block; a block without rows marks the end.
using NextBlock = std::function<Dataset()>;

Index write_blocks(const ConvertOptions& options, const TableLayout& layout, Dataset first, const NextBlock& next,
                   const StopSignal& stop) {
  const auto writer = make_table_writer(options.output, layout);
  Index written = 0;
  for (Dataset block = std::move(first); block.samples.view().rows() > 0; block = next()) {
    stop.throw_if_requested();
    require_storable(block.samples.view(), written, layout, options.input);
    writer->write(block.samples.view(), block.ids, block.labels);
    written += block.samples.view().rows();
  }
  writer->commit();
  return written;
}

struct Size {
  Index rows = 0, cols = 0;
  std::string left_out{};  ///< a note on the parts of IN that OUT cannot hold, or ""
};

std::string left_out_note(const ConvertOptions& options, const TableLayout& layout) {
  const FileFormat format = table_format(options.output, layout);
  const bool is_delimited = format == FileFormat::csv || format == FileFormat::tsv;
  std::vector<std::string> lost;
  if (!layout.columns.empty() && !is_delimited) lost.emplace_back("feature names");
  if (layout.with_ids && !is_delimited) lost.emplace_back("ids");
  if (layout.with_labels && !is_delimited && format != FileFormat::libsvm) lost.emplace_back("labels");
  if (lost.empty()) return "";
  return fmt::format("note: {} has no place for {}, which are left out\n", to_string(format), fmt::join(lost, ", "));
}

// Converts a file whose number of columns is known only at its end.
Size convert_whole(const ConvertOptions& options, const StopSignal& stop) {
  const Dataset data = read_dataset(options.input, options.read);
  const SamplesView& X = data.samples.view();
  TableLayout layout = layout_for(options, data, data.feature_names);
  layout.rows = X.rows();
  layout.nonzeros = X.nonzeros();
  write_blocks(
      options, layout, data, [] { return Dataset(); }, stop);
  return {X.rows(), X.cols(), left_out_note(options, layout)};
}

// Throws ResourceError if little memory is left. The number of blocks that will follow is unknown.
void require_room(const std::string& path, Index rows) {
  constexpr std::size_t reserve = std::size_t{256} << 20;
  if (const std::size_t available = available_memory(); available < reserve)
    throw ResourceError(
        fmt::format("{}: {} rows were read and must be kept until the end; {} of memory are available, and at least {} "
                    "are needed to continue",
                    path, rows, format_bytes(available), format_bytes(reserve)));
}

// Converts through memory: the output begins with the number of rows, so all blocks are kept until they are counted.
Size convert_after_counting(const ConvertOptions& options, TableLayout layout, Dataset first, const NextBlock& next,
                            const StopSignal& stop) {
  std::vector<Dataset> blocks;
  layout.rows = 0;
  layout.nonzeros = 0;
  for (Dataset block = std::move(first); block.samples.view().rows() > 0; block = next()) {
    layout.rows += block.samples.view().rows();
    layout.nonzeros += block.samples.view().nonzeros();
    require_room(options.input, layout.rows);
    blocks.push_back(std::move(block));
  }
  std::size_t at = 0;
  const NextBlock from_memory = [&] { return at < blocks.size() ? std::move(blocks[at++]) : Dataset(); };
  Dataset front = from_memory();
  return {write_blocks(options, layout, std::move(front), from_memory, stop), layout.cols,
          left_out_note(options, layout)};
}

Size convert(const ConvertOptions& options, const StopSignal& stop) {
  std::error_code missing;
  const bool is_pipe = options.input == "-" || std::filesystem::is_fifo(options.input, missing);
  const bool may_be_libsvm = options.read.format ? *options.read.format == FileFormat::libsvm : is_pipe;
  // A pipe cannot be opened a second time, so this is decided before its number of columns is known.
  if (may_be_libsvm && options.read.n_features == 0) return convert_whole(options, stop);
  auto stream = open_dataset(options.input, options.read);
  if (stream->cols() < 0) {
    stream.reset();
    return convert_whole(options, stop);
  }
  const NextBlock next = [&] { return stream->next(block_rows); };
  Dataset first = next();
  TableLayout layout = layout_for(options, first, stream->feature_names());
  layout.rows = stream->rows();
  const bool is_counted = layout.rows >= 0 && !layout.sparse;
  if (!is_counted && needs_totals(options.output, layout))
    return convert_after_counting(options, layout, std::move(first), next, stop);
  return {write_blocks(options, layout, std::move(first), next, stop), layout.cols, left_out_note(options, layout)};
}

int run_convert(ConvertOptions options) {
  options.read.threads = resolve_threads(options.read.threads);
  check_outputs({{"IN", split_member_path(options.input).file}}, {{"OUT", options.output, true, options.to}});
  const StopSignal stop;
  const bool to_stdout = is_standard_output(options.output);
  Size size;
  {
    ProgressBar bar(!options.quiet && !to_stdout);  // its end wipes it before the last line is printed
    options.read.observe = observe_with(bar, stop);
    ignore_closed_pipe(to_stdout, [&] { size = convert(options, stop); });
  }
  say_written(
      options.output, options.quiet,
      fmt::format("{}{} rows x {} features written to {}\n", size.left_out, size.rows, size.cols, options.output));
  return done;
}

}  // namespace

Command setup_convert(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("convert", "Writes the rows of a file in another format; it needs no model.")
                         ->group("Commands");
  const auto options = std::make_shared<ConvertOptions>();
  const std::vector<std::string> formats = {"csv", "tsv", "npy", "npz", "libsvm", "mtx", "h5"};
  parser->add_option("IN", options->input, "file with one sample per row, or - for standard input")
      ->required()
      ->type_name("");
  parser->add_option("OUT", options->output, "file to write, or - for standard output")->required()->type_name("");
  add_choice(*parser, "--to", formats, "by extension, csv for -", "format of OUT",
             [options](const std::string& text) { options->to = parse_file_format(text); });
  add_read_options(*parser, options->read);
  add_n_features(*parser, options->read);
  add_choice(*parser, "--precision", {"float32", "float64"}, "that of IN", "precision of the numbers in OUT",
             [options](const std::string& text) {
               if (text != "float32" && text != "float64")
                 throw InvalidArgument(fmt::format("unknown precision '{}'; accepted: float32, float64", text));
               options->precision = text == "float32" ? Precision::float32 : Precision::float64;
             });
  add_threads(*parser, options->read.threads);
  parser->add_flag("--quiet", options->quiet, "print nothing but errors (default: say what was written)");
  parser->footer("Example:\n  dualkpca convert cells.h5ad cells.npy --precision float32");
  return {parser, [options] { return run_convert(*options); }};
}

}  // namespace dualkpca::app
