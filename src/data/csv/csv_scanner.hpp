#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

enum class CsvFault { none, unclosed_quote, text_after_quote };

/// One field as the file has it, without the blanks around it and without its quotes.
struct CsvField {
  std::string_view text;
  bool quoted = false;
  CsvFault fault = CsvFault::none;

  /// Returns the text that the field stands for: "" inside quotes is one quote.
  [[nodiscard]] std::string value() const;
};

/// Scanner of delimited text, which goes from field to field. After a field it is at the end of that field: at the
/// delimiter, the end of the line or the end of the text.
class CsvScanner {
 public:
  CsvScanner(std::string_view text, char delimiter, Index line)
      : at_(text.data()), line_(line), end_(text.data() + text.size()), delimiter_(delimiter) {}

  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  [[nodiscard]] Index line() const { return line_; }  ///< line of the file that the scanner is in

  /// Steps over a field that is a finite number. Returns false, at an undefined position, if the field is none.
  [[nodiscard]] bool number(double& value);
  /// Steps over any field.
  [[nodiscard]] CsvField field();
  /// Steps over a delimiter. Returns false if there is none here.
  [[nodiscard]] bool delimiter();
  /// Steps over the end of a line; the end of the text ends a line, too. Returns false if there is none here.
  [[nodiscard]] bool line_end();
  /// Steps over all fields of a line and its end, and returns the fields; stops after a faulty field.
  [[nodiscard]] std::vector<CsvField> record();

 private:
  [[nodiscard]] bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }
  [[nodiscard]] const char* skip_blanks(const char* at) const {
    while (at != end_ && is_blank(*at)) ++at;
    return at;
  }
  [[nodiscard]] bool ends_field(const char* at) const;
  [[nodiscard]] CsvField quoted_field(const char* opening);

  // at_ and end_ are kept apart. Side by side, g++ 12 loads both at once, which has to wait for the last store to at_
  // and halves the speed.
  const char* at_;
  Index line_;
  const char* end_;
  char delimiter_;
};

// The functions below run once per number of the file.

inline bool CsvScanner::ends_field(const char* at) const {
  if (at == end_ || *at == delimiter_ || *at == '\n') return true;
  return *at == '\r' && at + 1 != end_ && at[1] == '\n';
}

inline bool CsvScanner::delimiter() {
  if (at_ == end_ || *at_ != delimiter_) return false;
  ++at_;
  return true;
}

inline bool CsvScanner::line_end() {
  if (at_ == end_) return true;
  if (*at_ == delimiter_ || !ends_field(at_)) return false;
  at_ += *at_ == '\r' ? 2 : 1;
  ++line_;
  return true;
}

}  // namespace dualkpca
