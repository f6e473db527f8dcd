#include "data/csv/csv_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "data/csv/csv_errors.hpp"
#include "data/csv/csv_scanner.hpp"
#include "data/io/memory_check.hpp"
#include "data/io/text.hpp"
#include "data/text_number.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Returns the index (from 0) of a column that is given by its number (from 1, digits alone); none for a name.
std::optional<Index> as_position(const std::optional<std::string>& wanted) {
  if (!wanted || wanted->empty() || wanted->find_first_not_of("0123456789") != std::string::npos) return {};
  Index number = 0;
  const auto read = std::from_chars(wanted->data(), wanted->data() + wanted->size(), number);
  return read.ec == std::errc{} ? number - 1 : std::numeric_limits<Index>::max();
}

bool is_header(const std::vector<CsvField>& first, const ReadOptions& options) {
  const auto is_text_column = [&](Index c) {
    return as_position(options.label_col) == c || as_position(options.id_col) == c;
  };
  for (std::size_t c = 0; c < first.size(); ++c)
    if (!is_text_column(static_cast<Index>(c)) && content_of(first[c].text) == FieldContent::text) return true;
  // A column that is given by name may be called "2019" or "NA", like the rest of its header.
  return std::any_of(first.begin(), first.end(), [&](const CsvField& field) {
    const std::string name = field.value();
    const auto is_asked_for = [&](const auto& wanted) { return wanted == name && !as_position(wanted); };
    return is_asked_for(options.label_col) || is_asked_for(options.id_col);
  });
}

// Returns the index of the column `wanted`. `option` is the name of the parameter, for messages.
Index find_column(const CsvLayout& layout, std::string_view option, const std::string& wanted,
                  const std::string& hint) {
  const std::string asked = fmt::format("{}: {} {}", layout.path, option, in_quotes(wanted));
  if (const auto position = as_position(wanted)) {
    if (*position >= 0 && *position < layout.columns()) return *position;
    throw InvalidArgument(
        fmt::format("{} is not a column; the file has columns 1 to {}{}", asked, layout.columns(), hint));
  }
  if (layout.names.empty())
    throw InvalidArgument(fmt::format("{} is not a column: the first line has no names; give a number from 1 to {}{}",
                                      asked, layout.columns(), hint));
  const auto first = std::find(layout.names.begin(), layout.names.end(), wanted);
  if (first == layout.names.end()) {
    const std::string_view near = nearest_name(wanted, layout.names);
    const std::string suggestion = near.empty() ? "" : fmt::format(" (did you mean {}?)", in_quotes(near));
    throw InvalidArgument(
        fmt::format("{} is not a column{}; the columns are {}{}", asked, suggestion, list_names(layout.names), hint));
  }
  if (std::find(first + 1, layout.names.end(), wanted) != layout.names.end())
    throw InvalidArgument(fmt::format("{} is the name of more than one column; give its number from 1", asked));
  return first - layout.names.begin();
}

// Throws ResourceError if the columns need too much memory: a line of some MiB can have a column for every two bytes.
void require_few_columns(const std::string& path, char delimiter, std::string_view text, std::size_t memory) {
  constexpr Index few = 100'000;
  constexpr double bytes_of_column = 320;  // its field, its role and its name twice, in vectors that grow
  CsvScanner scanner(text, delimiter, 1);
  Index columns = 1;
  while (scanner.field().fault == CsvFault::none && scanner.delimiter()) ++columns;
  if (columns > few)
    require_memory(path, fmt::format("{} columns", columns), bytes_of_column * static_cast<double>(columns), memory);
}

}  // namespace

CsvLayout find_layout(const std::string& path, char delimiter, std::string_view text, const ReadOptions& options) {
  CsvLayout layout{path, delimiter};
  require_few_columns(path, delimiter, text, options.memory);
  CsvScanner scanner(text, delimiter, 1);
  const std::vector<CsvField> first = scanner.record();
  require_well_formed(layout, first.back(), "the first line");
  layout.roles.assign(first.size(), CsvRole::number);
  if (is_header(first, options))
    for (const CsvField& field : first) layout.names.push_back(field.value());

  const std::string hint = first.size() == 1 ? separator_hint(first[0].text, delimiter) : "";
  const auto assign = [&](const std::optional<std::string>& wanted, std::string_view option, CsvRole role) {
    if (!wanted) return;
    const Index column = find_column(layout, option, *wanted, hint);
    if (layout.roles[column] != CsvRole::number)
      throw InvalidArgument(fmt::format("{}: label_col and id_col are the same column, {}", path, in_quotes(*wanted)));
    layout.roles[column] = role;
  };
  assign(options.label_col, "label_col", CsvRole::label);
  assign(options.id_col, "id_col", CsvRole::id);
  if (layout.count(CsvRole::number) == 0)
    throw DataError(fmt::format("{}: no column of numbers is left beside the labels and ids{}", path, hint));
  return layout;
}

}  // namespace dualkpca
