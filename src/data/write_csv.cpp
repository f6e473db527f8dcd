#include <fmt/format.h>

#include <charconv>

#include "data/table_writers.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

class CsvWriter : public TableWriter {
 public:
  CsvWriter(const std::string& path, char delimiter, const std::vector<std::string>& columns, bool with_ids,
            Precision precision)
      : file_(path),
        delimiter_(delimiter),
        columns_(static_cast<Index>(columns.size())),
        with_ids_(with_ids),
        precision_(precision) {
    if (with_ids) append_text("id");
    for (const std::string& column : columns) append_text(column);
    end_line();
  }

  void write(ConstMatrixRef block, const std::vector<std::string>& ids) override {
    require_columns(block.cols(), columns_);
    if (with_ids_ && static_cast<Index>(ids.size()) != block.rows())
      throw InvalidArgument(fmt::format("a block of {} rows cannot be written with {} ids", block.rows(), ids.size()));
    for (Index i = 0; i < block.rows(); ++i) {
      if (with_ids_) append_text(ids[i]);
      for (Index j = 0; j < block.cols(); ++j) append_number(block(i, j));
      end_line();
    }
  }

  void commit() override {
    flush();
    file_.commit();
  }

 private:
  // A field that its reader would take apart or trim is put in quotes.
  void append_text(std::string_view text) {
    const bool trimmed = text.starts_with(' ') || text.ends_with(' ');
    if (trimmed || text.find_first_of("\"\r\n\t") != text.npos || text.find(delimiter_) != text.npos) {
      buffer_ += '"';
      for (const char c : text) buffer_.append(c == '"' ? 2 : 1, c);
      buffer_ += '"';
    } else {
      buffer_ += text;
    }
    buffer_ += delimiter_;
  }

  // The shortest digits that read back as the same number.
  void append_number(double value) {
    char digits[32];
    char* const end = digits + sizeof digits;
    const auto written = precision_ == Precision::float32 ? std::to_chars(digits, end, static_cast<float>(value))
                                                          : std::to_chars(digits, end, value);
    *written.ptr = delimiter_;
    buffer_.append(digits, static_cast<std::size_t>(written.ptr + 1 - digits));
  }

  void end_line() {
    buffer_.back() = '\n';  // in place of the last delimiter
    if (buffer_.size() >= flush_at) flush();
  }

  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

  static constexpr std::size_t flush_at = 1 << 16;

  OutputFile file_;
  std::string buffer_;
  char delimiter_;
  Index columns_;
  bool with_ids_;
  Precision precision_;
};

}  // namespace

std::unique_ptr<TableWriter> make_csv_writer(const std::string& path, char delimiter,
                                             const std::vector<std::string>& columns, bool with_ids,
                                             Precision precision) {
  return std::make_unique<CsvWriter>(path, delimiter, columns, with_ids, precision);
}

}  // namespace dualkpca
