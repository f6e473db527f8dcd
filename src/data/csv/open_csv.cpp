#include <fmt/format.h>

#include <algorithm>

#include "data/csv/csv_columns.hpp"
#include "data/csv/csv_errors.hpp"
#include "data/csv/csv_rows.hpp"
#include "data/csv/csv_scanner.hpp"
#include "data/io/line_blocks.hpp"
#include "data/io/text.hpp"
#include "data/pending_rows.hpp"
#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"

namespace dualkpca {
namespace {

// Returns the bytes of the whole records in a text of whole lines, whose last line end may be inside quotes.
std::size_t whole_records(std::string_view text, char delimiter) {
  if (text.find('"') == std::string_view::npos) return text.size();
  CsvScanner scanner(text, delimiter, 1);
  while (!scanner.at_end()) {
    const std::size_t begin = text.size() - scanner.rest().size();
    CsvFault fault = CsvFault::none;
    do fault = scanner.field().fault;
    while (fault == CsvFault::none && scanner.delimiter());
    if (fault == CsvFault::unclosed_quote) return begin;
    if (fault != CsvFault::none || !scanner.line_end()) break;  // reading the record will say what is wrong
  }
  return text.size();
}

class CsvStream : public DataStream {
 public:
  CsvStream(const std::string& path, char delimiter, const ReadOptions& options)
      : blocks_(path, options.observe), delimiter_(delimiter), threads_(resolve_threads(options.threads)) {
    read_header(options);
  }

  [[nodiscard]] Index rows() const override { return -1; }
  [[nodiscard]] Index cols() const override { return layout_.count(CsvRole::number); }
  [[nodiscard]] bool is_sparse() const override { return false; }
  [[nodiscard]] const std::vector<std::string>& feature_names() const override { return feature_names_; }
  [[nodiscard]] Dataset next(Index most) override {
    if (pending_.empty()) pending_ = PendingRows(read_block());
    return pending_.take(most);
  }

 private:
  void read_header(const ReadOptions& options) {
    text_ = next_records();
    if (text_.empty())
      throw DataError(fmt::format("{}: the file is empty; one line per sample is expected", blocks_.name()));
    layout_ = find_layout(blocks_.name(), delimiter_, text_, options);
    feature_names_ = layout_.feature_names();
    if (layout_.names.empty()) return;
    CsvScanner scanner(text_, delimiter_, 1);
    static_cast<void>(scanner.record());
    text_ = scanner.rest();
    place_.line = scanner.line();
    if (text_.empty()) text_ = next_records();
    if (text_.empty())
      throw DataError(fmt::format("{}: there is a header but no row of numbers{}", blocks_.name(),
                                  layout_.columns() == 1 ? separator_hint(layout_.names[0], delimiter_) : ""));
  }

  [[nodiscard]] Dataset read_block() {
    if (text_.empty()) text_ = next_records();
    if (text_.empty()) return {};
    require_memory_for_lines(text_, block_memory(), blocks_.name());
    Dataset block = read_rows(layout_, std::exchange(text_, {}), place_, threads_);
    place_.row += block.samples.view().rows();
    return block;
  }

  // Returns whole records; empty at the end of the file.
  [[nodiscard]] std::string_view next_records() {
    for (;;) {
      const std::string_view text = blocks_.next();
      place_.line = blocks_.line();
      if (blocks_.at_end()) return text;
      const std::size_t used = whole_records(text, delimiter_);
      if (used == 0 && text.size() > LineBlocks::longest_line)
        throw DataError(fmt::format("{}: row {} (line {}): a quote is not closed within 64 MiB", blocks_.name(),
                                    place_.row + 1, place_.line));
      blocks_.unread(text.size() - used);
      if (used > 0) return text.substr(0, used);
    }
  }

  LineBlocks blocks_;
  char delimiter_;
  int threads_;
  CsvLayout layout_{};
  std::vector<std::string> feature_names_{};
  std::string_view text_{};  ///< records that are not read yet
  CsvPosition place_{};      ///< position of those
  PendingRows pending_{};
};

}  // namespace

std::unique_ptr<DataStream> open_csv(const std::string& path, char delimiter, const ReadOptions& options) {
  if (std::string_view(",;|: \t").find(delimiter) == std::string_view::npos)
    throw InvalidArgument(
        fmt::format("delimiter {} is not accepted; accepted: , ; | : space tab", in_quotes({&delimiter, 1})));
  return std::make_unique<CsvStream>(path, delimiter, options);
}

Dataset read_csv(const std::string& path, char delimiter, const ReadOptions& options) {
  return collect(*open_csv(path, delimiter, options), path, options.memory);
}

}  // namespace dualkpca
