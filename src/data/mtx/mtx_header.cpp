#include "data/mtx/mtx_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

#include "data/io/memory_check.hpp"
#include "data/io/text.hpp"
#include "data/text_number.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

std::string lower(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

void read_banner(Lines& lines, MtxHeader& header) {
  constexpr const char* accepted =
      "accepted is '%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric'";
  std::string_view line;
  const bool found = lines.next(line);
  std::array<std::string, 5> words;
  for (std::string& word : words) word = lower(take_word(line));
  const auto& [banner, object, format, field, symmetry] = words;
  if (!found || banner != "%%matrixmarket")
    throw DataError(
        fmt::format("{}: not a Matrix Market file: the first line must begin with %%MatrixMarket", lines.name()));
  const auto refuse = [&](const std::string& word) {
    refuse_line(lines, fmt::format("{} is not accepted; {}", in_quotes(word), accepted));
  };
  if (object != "matrix") refuse(object);
  if (format != "coordinate" && format != "array") refuse(format);
  header.is_sparse = format == "coordinate";
  if (field == "complex") refuse_line(lines, fmt::format("complex numbers are not accepted; {}", accepted));
  header.has_values = field != "pattern";
  const bool is_field = field == "real" || field == "double" || field == "integer" || field == "pattern";
  if (!is_field || (!header.has_values && !header.is_sparse)) refuse(field);
  if (symmetry == "symmetric")
    header.symmetry = MtxSymmetry::symmetric;
  else if (symmetry == "skew-symmetric" && header.has_values)
    header.symmetry = MtxSymmetry::skew;
  else if (symmetry != "general")
    refuse(symmetry);
}

void read_size(Lines& lines, MtxHeader& header) {
  std::string_view line, rest;
  do {
    if (!lines.next(line)) throw DataError(fmt::format("{}: the line with the size is missing", lines.name()));
    rest = line;
  } while (line.starts_with('%') || take_word(rest).empty());
  header.size_line = lines.number();
  rest = line;
  const bool is_good = parse_whole(take_word(rest), header.rows) && parse_whole(take_word(rest), header.cols) &&
                       (!header.is_sparse || parse_whole(take_word(rest), header.entries)) && take_word(rest).empty();
  if (!is_good || header.rows < 0 || header.cols < 0 || header.entries < 0)
    refuse_line(lines, fmt::format("{} is not the size; expected are {}", in_quotes(line),
                                   header.is_sparse ? "rows, columns and entries" : "rows and columns"));
}

}  // namespace

void refuse_line(const Lines& lines, const std::string& what) {
  throw DataError(fmt::format("{}: line {}: {}", lines.name(), lines.number(), what));
}

std::string_view take_word(std::string_view& line) {
  // It uses loops, because it runs once per number of the file and the searches of std::string_view are slow on short
  // words.
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

bool parse_whole(std::string_view word, Index& value) {
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc::result_out_of_range)
    value = word.starts_with('-') ? std::numeric_limits<Index>::min() : std::numeric_limits<Index>::max();
  return error != std::errc::invalid_argument && stop == end;
}

double take_value(const Lines& lines, std::string_view& line) {
  const std::string_view word = take_word(line);
  const char* end = word.data() + word.size();
  double value = 0;
  if (word.empty()) refuse_line(lines, "the value is missing; accepted are finite numbers");
  if (parse_number(word.data(), end, value) != end)
    refuse_line(lines, fmt::format("{} is not a value; accepted are finite numbers", in_quotes(word)));
  return value;
}

MtxHeader read_mtx_header(Lines& lines, std::size_t memory) {
  MtxHeader header;
  read_banner(lines, header);
  read_size(lines, header);
  if (header.rows == 0 || header.cols == 0)
    refuse_line(lines, fmt::format("the matrix is {} x {}; at least one row and one column are needed", header.rows,
                                   header.cols));
  if (header.symmetry != MtxSymmetry::general && header.rows != header.cols)
    refuse_line(lines, fmt::format("the matrix is {} x {}; a symmetric one is square", header.rows, header.cols));
  constexpr Index few_rows = 1'000'000, empty_rows_per_entry = 100;
  constexpr Index most_cols = std::numeric_limits<std::int32_t>::max();
  constexpr Index most_rows = std::numeric_limits<std::uint32_t>::max();
  if (!header.is_sparse) {
    // A symmetric matrix is built from its half, and both are in memory for a moment.
    const std::size_t halves = header.symmetry == MtxSymmetry::general ? 2 : 3;
    require_memory(lines.name(), header.rows, header.cols, halves * sizeof(double) / 2, memory);
    return header;
  }
  if (header.rows > most_rows)
    refuse_line(lines, fmt::format("{} rows are declared; at most {} are accepted", header.rows, most_rows));
  if (header.cols > most_cols)
    refuse_line(lines, fmt::format("{} columns are declared; at most {} are accepted", header.cols, most_cols));
  // A few bytes could declare any number of rows, so the accepted number grows with the entries that are declared.
  if (header.rows > few_rows && header.rows / empty_rows_per_entry > header.entries)
    refuse_line(lines, fmt::format("{} rows are declared for {} entries; nearly all of them would be empty",
                                   header.rows, header.entries));
  require_memory(lines.name(), fmt::format("{} sparse rows", header.rows),
                 static_cast<double>(header.rows) * static_cast<double>(sizeof(Index)), memory);
  return header;
}

}  // namespace dualkpca
