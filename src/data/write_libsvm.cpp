#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "data/table_writers.hpp"
#include "data/text.hpp"
#include "data/text_output.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Several labels of one row have a comma between them.
bool is_label(std::string_view text) {
  while (true) {
    const std::string_view part = text.substr(0, text.find(','));
    double value = 0;
    const char* begin = part.data() + (part.starts_with('+') ? 1 : 0);
    const auto read = std::from_chars(begin, part.data() + part.size(), value);
    if (read.ec != std::errc{} || read.ptr != part.data() + part.size() || !std::isfinite(value)) return false;
    if (part.size() == text.size()) return true;
    text.remove_prefix(part.size() + 1);
  }
}

class LibsvmWriter : public TableWriter {
 public:
  LibsvmWriter(const std::string& path, const TableLayout& table)
      : TableWriter(table), name_(printable(path, 300)), out_(path) {}

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& labels) override {
    for (Index i = 0; i < block.rows(); ++i) {
      if (layout().with_labels && !is_label(labels[i]))
        throw DataError(
            fmt::format("{}: row {}: the label {} is no number, and LIBSVM files have no others; number the classes, "
                        "or leave the labels out",
                        name_, written() + i + 1, quoted(labels[i])));
      std::string& buffer = out_.buffer();
      buffer += layout().with_labels ? labels[i] : "0";
      block.for_each_entry(i, [&](Index j, double value) {
        if (value == 0) return;
        fmt::format_to(std::back_inserter(buffer), " {}:", j + 1);
        out_.append_number(value, layout().precision);
      });
      buffer += '\n';
      out_.flush_if_full();
    }
  }

  void finish() override { out_.commit(); }

 private:
  std::string name_;
  TextOutput out_;
};

}  // namespace

std::unique_ptr<TableWriter> make_libsvm_writer(const std::string& path, const TableLayout& layout) {
  return std::make_unique<LibsvmWriter>(path, layout);
}

}  // namespace dualkpca
