#include "data/csv/csv_scanner.hpp"

#include <algorithm>

#include "data/text_number.hpp"

namespace dualkpca {

std::string CsvField::value() const {
  if (!quoted) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '"') ++i;
  }
  return out;
}

bool CsvScanner::number(double& value) {
  const char* at = skip_blanks(at_);
  if (at != end_ && *at == '"') {
    const CsvField inside = quoted_field(at);
    const std::string_view content = trim(inside.text);
    const char* stop = content.data() + content.size();
    return inside.fault == CsvFault::none && parse_number(content.data(), stop, value) == stop;
  }
  at = parse_number(at, end_, value);
  if (at == nullptr) return false;
  at = skip_blanks(at);
  if (!ends_field(at)) return false;
  at_ = at;
  return true;
}

CsvField CsvScanner::field() {
  const char* first = skip_blanks(at_);
  if (first != end_ && *first == '"') return quoted_field(first);
  at_ = first;
  while (!ends_field(at_)) ++at_;
  const char* last = at_;
  while (last != first && is_blank(last[-1])) --last;
  return {{first, static_cast<std::size_t>(last - first)}};
}

CsvField CsvScanner::quoted_field(const char* opening) {
  const char* first = opening + 1;
  const char* closing = std::find(first, end_, '"');
  while (closing != end_ && closing + 1 != end_ && closing[1] == '"') closing = std::find(closing + 2, end_, '"');
  CsvField found{{first, static_cast<std::size_t>(closing - first)}, true};
  line_ += std::count(first, closing, '\n');
  at_ = closing == end_ ? end_ : skip_blanks(closing + 1);
  if (closing == end_)
    found.fault = CsvFault::unclosed_quote;
  else if (!ends_field(at_))
    found.fault = CsvFault::text_after_quote;
  return found;
}

std::vector<CsvField> CsvScanner::record() {
  std::vector<CsvField> fields;
  do fields.push_back(field());
  while (fields.back().fault == CsvFault::none && delimiter());
  if (fields.back().fault == CsvFault::none) static_cast<void>(line_end());
  return fields;
}

}  // namespace dualkpca
