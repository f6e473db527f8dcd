#include "data/libsvm/libsvm_rows.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "data/io/text.hpp"
#include "data/text_number.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

constexpr Index largest_index = std::numeric_limits<std::int32_t>::max();

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Takes the next word of the line; empty at its end.
std::string_view take_item(const char*& at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  const char* begin = at;
  while (at != end && !is_blank(*at)) ++at;
  return {begin, static_cast<std::size_t>(at - begin)};
}

struct Entry {
  Index index = 0;
  double value = 0;
};

// Takes the entry "index:value" at `at`. Returns false if the word is anything else.
bool take_entry(const char*& at, const char* end, Entry& entry) {
  const auto [colon, error] = std::from_chars(at, end, entry.index);
  if (error != std::errc{} || colon == end || *colon != ':') return false;
  const char* stop = parse_number(colon + 1, end, entry.value);
  if (stop == nullptr || (stop != end && !is_blank(*stop))) return false;
  at = stop;
  return true;
}

// Says why a word is bad: take_entry() does not take it, or it may not follow index `previous`.
std::string fault_of(const LibsvmLayout& layout, std::string_view word, Index previous) {
  constexpr const char* accepted = "accepted are entries index:value, a whole number and a finite number";
  const std::string shown = in_quotes(word);
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return fmt::format("{} is not an entry; {}", shown, accepted);
  const std::string_view number = word.substr(0, colon), value = word.substr(colon + 1);
  Index index = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  const bool too_large = error == std::errc::result_out_of_range && !number.starts_with('-');
  if (!too_large && (error != std::errc{} || stop != number.data() + number.size()))
    return fmt::format("{}: {} is not an index; {}", shown, in_quotes(number), accepted);
  if (!too_large && index == 0) return fmt::format("{}: indices start at 1; the file seems to count from 0", shown);
  if (!too_large && index < 0) return fmt::format("{}: the index is negative; indices start at 1", shown);
  if (too_large || index > largest_index) return fmt::format("{}: the index is larger than {}", shown, largest_index);
  if (layout.n_features > 0 && index > layout.n_features)
    return fmt::format("{}: the index is larger than the number of features, {}", shown, layout.n_features);
  if (index == previous) return fmt::format("{}: index {} appears twice", shown, index);
  if (index < previous) return fmt::format("{}: index {} comes after {}; indices must ascend", shown, index, previous);
  switch (content_of(value)) {
    case FieldContent::missing: return fmt::format("{}: the value is missing; {}", shown, accepted);
    case FieldContent::infinite: return fmt::format("{}: the value is infinite; {}", shown, accepted);
    case FieldContent::too_large: return fmt::format("{}: the value is too large for float64; {}", shown, accepted);
    default: return fmt::format("{}: {} is not a number; {}", shown, in_quotes(value), accepted);
  }
}

class Reader {
 public:
  explicit Reader(const LibsvmLayout& layout)
      : layout_(layout), highest_(layout.n_features > 0 ? layout.n_features : largest_index) {}

  void read_line(std::string_view line, Index number) {
    const char* at = line.data();
    const char* end = at + std::min(line.find('#'), line.size());
    const std::string_view label = take_item(at, end);
    if (label.empty()) return;
    if (!is_libsvm_label(label)) refuse_label(label, number);
    rows_.labels.emplace_back(label);
    Index previous = 0;
    for (;;) {
      while (at != end && is_blank(*at)) ++at;
      if (at == end) break;
      const char* word = at;
      Entry entry;
      if (!take_entry(at, end, entry) || entry.index <= previous || entry.index > highest_) {
        at = word;
        const std::string_view found = take_item(at, end);
        if (previous == 0 && found.starts_with("qid:")) continue;  // a query id is not a feature
        refuse(number, fault_of(layout_, found, previous));
      }
      previous = entry.index;
      if (entry.value == 0) continue;
      rows_.entries.columns.push_back(static_cast<std::int32_t>(entry.index - 1));
      rows_.entries.values.push_back(entry.value);
    }
    rows_.entries.cols = std::max(rows_.entries.cols, previous);
    rows_.entries.offsets.push_back(static_cast<Index>(rows_.entries.values.size()));
  }
  [[nodiscard]] LibsvmRows& rows() { return rows_; }

 private:
  [[noreturn]] void refuse(Index line, const std::string& what) const {
    throw DataError(fmt::format("{}: line {}: {}", layout_.path, line, what));
  }
  [[noreturn]] void refuse_label(std::string_view word, Index line) const {
    if (word.find(':') != std::string_view::npos)
      refuse(line, fmt::format("the label is missing: the line begins with {}", in_quotes(word)));
    refuse(line, fmt::format("{} is not a label; accepted are a number or numbers with commas between them, before the "
                             "entries index:value",
                             in_quotes(word)));
  }

  const LibsvmLayout& layout_;
  Index highest_;
  LibsvmRows rows_{};
};

}  // namespace

bool is_libsvm_label(std::string_view word) {
  const char* at = word.data();
  const char* end = at + word.size();
  for (double value = 0;; ++at) {
    at = parse_number(at, end, value);
    if (at == nullptr) return false;
    if (at == end) return true;
    if (*at != ',') return false;
  }
}

LibsvmRows read_libsvm_rows(const LibsvmLayout& layout, std::string_view text, Index line) {
  Reader reader(layout);
  for (; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader.rows());
}

}  // namespace dualkpca
