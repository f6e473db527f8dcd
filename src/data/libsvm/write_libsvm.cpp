#include <fmt/format.h>

#include "data/io/text.hpp"
#include "data/io/text_output.hpp"
#include "data/libsvm/libsvm_rows.hpp"
#include "data/table_writers.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

class LibsvmWriter : public TableWriter {
 public:
  LibsvmWriter(const std::string& path, const TableLayout& table)
      : TableWriter(table), name_(printable_path(path)), out_(path) {}

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& labels) override {
    for (Index i = 0; i < block.rows(); ++i) {
      if (layout().with_labels && !is_libsvm_label(labels[i]))
        throw DataError(
            fmt::format("{}: row {}: the label {} is not a number, as LIBSVM files need; number the classes, or leave "
                        "the labels out",
                        name_, written() + i + 1, in_quotes(labels[i])));
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
