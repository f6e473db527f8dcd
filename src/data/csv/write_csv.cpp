#include <fmt/format.h>

#include "data/io/text_output.hpp"
#include "data/table_writers.hpp"

namespace dualkpca {
namespace {

class CsvWriter : public TableWriter {
 public:
  CsvWriter(const std::string& path, char delimiter, const TableLayout& table)
      : TableWriter(table), out_(path), delimiter_(delimiter), row_(static_cast<std::size_t>(table.cols)) {
    if (table.with_header) write_header();
  }

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& ids,
                   const std::vector<std::string>& labels) override {
    for (Index i = 0; i < block.rows(); ++i) {
      if (layout().with_ids) append_text(ids[i]);
      block.copy_row(i, row_.data());
      for (const double value : row_) {
        out_.append_number(value, layout().precision);
        out_.buffer() += delimiter_;
      }
      if (layout().with_labels) append_text(labels[i]);
      end_line();
    }
  }

  void finish() override { out_.commit(); }

 private:
  void write_header() {
    if (layout().with_ids) append_text(layout().id_name);
    for (const std::string& column : layout().columns) append_text(column);
    if (layout().columns.empty())
      for (Index j = 1; j <= cols(); ++j) append_text(fmt::format("x{}", j));
    if (layout().with_labels) append_text(layout().label_name);
    end_line();
  }

  // Appends a field, in quotes if a reader would otherwise split or trim it.
  void append_text(std::string_view text) {
    std::string& buffer = out_.buffer();
    const bool trimmed = text.starts_with(' ') || text.ends_with(' ');
    if (trimmed || text.find_first_of("\"\r\n\t") != text.npos || text.find(delimiter_) != text.npos) {
      buffer += '"';
      for (const char c : text) buffer.append(c == '"' ? 2 : 1, c);
      buffer += '"';
    } else {
      buffer += text;
    }
    buffer += delimiter_;
  }

  void end_line() {
    out_.buffer().back() = '\n';  // in place of the last delimiter
    out_.flush_if_full();
  }

  TextOutput out_;
  char delimiter_;
  std::vector<double> row_;
};

}  // namespace

std::unique_ptr<TableWriter> make_csv_writer(const std::string& path, char delimiter, const TableLayout& layout) {
  return std::make_unique<CsvWriter>(path, delimiter, layout);
}

}  // namespace dualkpca
