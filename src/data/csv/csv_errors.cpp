#include "data/csv/csv_errors.hpp"

#include <fmt/format.h>

#include "data/io/text.hpp"
#include "data/text_number.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

std::string delimiter_name(char delimiter) {
  if (delimiter == '\t') return "tabs";
  return fmt::format("'{}'", delimiter);
}

std::string fault_of_number(std::string_view field, char delimiter) {
  const std::string shown = in_quotes(field);
  switch (content_of(field)) {
    case FieldContent::missing:
      return field.empty() ? "the value is missing" : fmt::format("the value is missing ({})", shown);
    case FieldContent::infinite: return fmt::format("{} is infinite", shown);
    case FieldContent::too_large: return fmt::format("{} is too large for float64", shown);
    default: return fmt::format("{} is not a number{}", shown, separator_hint(field, delimiter));
  }
}

}  // namespace

std::string separator_hint(std::string_view text, char delimiter) {
  if (text.find('\r') != std::string_view::npos) return "; lines must end with LF or CRLF, not CR alone";
  for (const char other : {';', '\t', ','})
    if (other != delimiter && text.find(other) != std::string_view::npos)
      return fmt::format("; fields look separated by {}, not {}", delimiter_name(other), delimiter_name(delimiter));
  return "";
}

void require_well_formed(const CsvLayout& layout, const CsvField& field, const std::string& where) {
  if (field.fault == CsvFault::unclosed_quote)
    throw DataError(
        fmt::format("{}: {}: the quote before {} is never closed", layout.path, where, in_quotes(field.text)));
  if (field.fault == CsvFault::text_after_quote)
    throw DataError(fmt::format("{}: {}: text after the closing quote of {}; a quote inside quotes is written \"\"",
                                layout.path, where, in_quotes(field.text)));
}

void throw_bad_row(const CsvLayout& layout, std::string_view text, Index row, Index line) {
  const std::string where = fmt::format("row {} (line {})", row + 1, line);
  CsvScanner scanner(text, layout.delimiter, line);
  const std::vector<CsvField> fields = scanner.record();
  require_well_formed(layout, fields.back(), where);
  const auto found = static_cast<Index>(fields.size());
  if (found == 1 && layout.columns() > 1 && fields[0].text.empty() && !fields[0].quoted)
    throw DataError(fmt::format("{}: {} is blank; blank lines are accepted only at the end", layout.path, where));
  if (found != layout.columns()) {
    const bool one_column = found == 1 || layout.columns() == 1;
    const char* end = fields.back().text.data() + fields.back().text.size();
    const std::string_view record = text.substr(0, static_cast<std::size_t>(end - text.data()));
    throw DataError(fmt::format("{}: {}: {} {} found, {} expected as in {}{}", layout.path, where, found,
                                found == 1 ? "field" : "fields", layout.columns(),
                                layout.names.empty() ? "row 1" : "the header",
                                one_column ? separator_hint(record, layout.delimiter) : ""));
  }
  std::size_t c = 0;
  const auto is_good = [&] {
    return layout.roles[c] != CsvRole::number || content_of(fields[c].text) == FieldContent::number;
  };
  while (c + 1 < fields.size() && is_good()) ++c;
  const std::string name = layout.names.empty() ? "" : " " + in_quotes(layout.names[c]);
  throw DataError(fmt::format("{}: {}, column {}{}: {}; accepted are finite numbers with '.' for decimals", layout.path,
                              where, c + 1, name, fault_of_number(fields[c].text, layout.delimiter)));
}

}  // namespace dualkpca
