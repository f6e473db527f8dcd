#include "data/csv/csv_rows.hpp"

#include <memory>

#include "data/csv/csv_errors.hpp"
#include "data/csv/csv_scanner.hpp"
#include "data/io/text_chunks.hpp"

namespace dualkpca {
namespace {

// Arrays that read_chunk() fills, with one entry per row; the numbers are in row-major order.
struct Table {
  double* numbers;
  std::vector<std::string>& labels;
  std::vector<std::string>& ids;
  Index rows_before;  // rows of the file before these, for messages
};

// Reads the rows of a chunk to their places, and returns their number.
Index read_chunk(const CsvLayout& layout, const TextChunk& chunk, const Table& table) {
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
    if (!good || !scanner.line_end()) throw_bad_row(layout, rest, table.rows_before + row, line);
  }
  return row - chunk.first_row;
}

}  // namespace

Dataset read_rows(const CsvLayout& layout, std::string_view text, const CsvPosition& place, int threads) {
  std::vector<TextChunk> chunks = split_chunks(text, place.line, threads);
  Index rows = chunks.back().first_row + chunks.back().rows;
  const Index features = layout.count(CsvRole::number);
  // A good row takes at least two bytes per number and one per text. A text with more lines than that allows has a bad
  // one. It is read as one chunk up to that line, so that memory is bounded by the size of the text and not by lines
  // times columns.
  const Index rows_that_fit = static_cast<Index>(text.size()) / (layout.columns() + features) + 1;
  if (rows > rows_that_fit) {
    chunks = {{text, rows, 0, place.line}};
    rows = rows_that_fit;
  }
  const auto numbers = std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(rows * features));
  Dataset data;
  if (layout.count(CsvRole::label) > 0) data.labels.resize(rows);
  if (layout.count(CsvRole::id) > 0) data.ids.resize(rows);

  const Table table{numbers.get(), data.labels, data.ids, place.row};
  for_each_chunk(chunks, [&](TextChunk& chunk) { chunk.rows = read_chunk(layout, chunk, table); });

  rows = chunks.back().first_row + chunks.back().rows;
  if (!data.labels.empty()) data.labels.resize(rows);
  if (!data.ids.empty()) data.ids.resize(rows);
  data.samples = Samples(numbers, SamplesView(numbers.get(), rows, features));
  return data;
}

}  // namespace dualkpca
