#include <fmt/format.h>

#include <memory>

#include "data/csv_chunks.hpp"
#include "data/csv_columns.hpp"
#include "data/csv_errors.hpp"
#include "data/csv_scanner.hpp"
#include "data/input_file.hpp"
#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {
namespace {

// The file's text without byte order mark and without the blank lines at the end.
std::string_view strip(std::string_view text, const std::string& path) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw DataError(fmt::format("{}: the text is UTF-16; save it as UTF-8", path));
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = text.substr(0, text.find_last_not_of(" \r\n") + 1);
  if (text.empty()) throw DataError(fmt::format("{}: the file is empty; one line per sample is expected", path));
  return text;
}

// What read_rows fills, one entry per row; numbers are row-major.
struct Table {
  double* numbers;
  std::vector<std::string>& labels;
  std::vector<std::string>& ids;
};

// Reads the rows of a chunk to their places; returns how many there were.
Index read_rows(const CsvLayout& layout, const CsvChunk& chunk, const Table& table) {
  CsvScanner scanner(chunk.text, layout.delimiter, chunk.first_line);
  double* out = table.numbers + chunk.first_row * layout.count(CsvRole::number);
  const auto read_text = [&](std::string& text) {
    const CsvField field = scanner.field();
    text = field.value();
    return field.fault == CsvFault::none;
  };
  Index row = chunk.first_row;
  for (; !scanner.at_end(); ++row) {
    const std::string_view rest = scanner.rest();
    const Index line = scanner.line();
    bool good = true;
    for (Index c = 0; good && c < layout.columns(); ++c) {
      if (c > 0 && !scanner.delimiter())
        good = false;
      else if (layout.roles[c] == CsvRole::number)
        good = scanner.number(*out++);
      else
        good = read_text(layout.roles[c] == CsvRole::label ? table.labels[row] : table.ids[row]);
    }
    if (!good || !scanner.line_end()) throw_bad_row(layout, rest, row, line);
  }
  return row - chunk.first_row;
}

// `text` begins after the header, on line `line` of the file.
Dataset read_body(const CsvLayout& layout, std::string_view text, Index line, int threads) {
  std::vector<CsvChunk> chunks = split_chunks(text, line, threads);
  Index rows = chunks.back().first_row + chunks.back().rows;
  const Index features = layout.count(CsvRole::number);
  // A good row takes two bytes per number and one per text. A file with more lines than that allows has a bad one: it
  // is read as one chunk up to there, so that memory is bounded by the file's size and not by lines times columns.
  const Index rows_that_fit = static_cast<Index>(text.size()) / (layout.columns() + features) + 1;
  if (rows > rows_that_fit) {
    chunks = {{text, rows, 0, line}};
    rows = rows_that_fit;
  }
  const auto numbers = std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(rows * features));
  Dataset data;
  if (layout.count(CsvRole::label) > 0) data.labels.resize(rows);
  if (layout.count(CsvRole::id) > 0) data.ids.resize(rows);

  const Table table{numbers.get(), data.labels, data.ids};
  for_each_chunk(chunks, [&](CsvChunk& chunk) { chunk.rows = read_rows(layout, chunk, table); });

  rows = chunks.back().first_row + chunks.back().rows;
  if (!data.labels.empty()) data.labels.resize(rows);
  if (!data.ids.empty()) data.ids.resize(rows);
  data.samples = Samples(numbers, SamplesView(numbers.get(), rows, features));
  data.feature_names = layout.feature_names();
  return data;
}

}  // namespace

Dataset read_csv(const std::string& path, char delimiter, const ReadOptions& options) {
  if (std::string_view(",;|: \t").find(delimiter) == std::string_view::npos)
    throw InvalidArgument(
        fmt::format("delimiter {} is not accepted; accepted: , ; | : space tab", quoted({&delimiter, 1})));
  const std::string shown_path = printable(path, 300);
  const InputFile file(path);
  const std::string_view text = strip(file.bytes(), shown_path);
  const CsvLayout layout = find_layout(shown_path, delimiter, text, options);
  CsvScanner scanner(text, delimiter, 1);
  if (!layout.names.empty()) static_cast<void>(scanner.record());
  if (scanner.at_end())
    throw DataError(fmt::format("{}: there is a header but no row of numbers{}", shown_path,
                                layout.columns() == 1 ? separator_hint(layout.names[0], delimiter) : ""));
  return read_body(layout, scanner.rest(), scanner.line(), resolve_threads(options.threads));
}

}  // namespace dualkpca
