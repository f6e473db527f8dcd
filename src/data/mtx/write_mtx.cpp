#include <fmt/format.h>

#include <limits>

#include "core/growing_buffer.hpp"
#include "data/io/memory_check.hpp"
#include "data/io/text.hpp"
#include "data/io/text_output.hpp"
#include "data/table_writers.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Writer of one line per entry. The sizes come before the entries; if they are not known yet, blanks keep their place.
class CoordinateWriter : public TableWriter {
 public:
  CoordinateWriter(const std::string& path, const TableLayout& table) : TableWriter(table), out_(path) {
    out_.buffer() = first_line;
    if (table.rows >= 0 && table.nonzeros >= 0)
      out_.buffer() += sizes_line(table.rows, table.nonzeros);
    else
      out_.buffer() += std::string(room(), ' ');
    out_.buffer() += '\n';
  }

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& /*labels*/) override {
    for (Index i = 0; i < block.rows(); ++i) {
      block.for_each_entry(i, [&](Index j, double value) {
        fmt::format_to(std::back_inserter(out_.buffer()), "{} {} ", written() + i + 1, j + 1);
        out_.append_number(value, layout().precision);
        out_.buffer() += '\n';
        ++entries_;
      });
      out_.flush_if_full();
    }
  }

  void finish() override {
    const bool announced = layout().rows >= 0 && layout().nonzeros >= 0;
    if (announced && layout().nonzeros != entries_)
      throw InvalidArgument(fmt::format("the layout gives {} entries, and {} were written; they must agree",
                                        layout().nonzeros, entries_));
    if (!announced) out_.rewrite(first_line.size(), sizes_line(written(), entries_));
    out_.commit();
  }

 private:
  static constexpr std::string_view first_line = "%%MatrixMarket matrix coordinate real general\n";

  [[nodiscard]] std::string sizes_line(Index rows, Index entries) const {
    return fmt::format("{} {} {}", rows, cols(), entries);
  }
  [[nodiscard]] std::size_t room() const {
    constexpr Index largest = std::numeric_limits<Index>::max();
    return sizes_line(largest, largest).size();
  }

  TextOutput out_;
  Index entries_ = 0;
};

// Writer of a dense matrix, column after column, which can write nothing before it has the last row.
class ArrayWriter : public TableWriter {
 public:
  ArrayWriter(const std::string& path, const TableLayout& table)
      : TableWriter(table), out_(path), shown_(printable_path(path)) {}

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& /*labels*/) override {
    require_memory(shown_, block.rows(), block.cols(), sizeof(double));
    for (Index i = 0; i < block.rows(); ++i) block.copy_row(i, all_.extend(static_cast<std::size_t>(cols())));
  }

  void finish() override {
    out_.buffer() = fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", written(), cols());
    for (Index j = 0; j < cols(); ++j) {
      for (Index i = 0; i < written(); ++i) {
        out_.append_number(all_[static_cast<std::size_t>(i * cols() + j)], layout().precision);
        out_.buffer() += '\n';
        out_.flush_if_full();
      }
    }
    out_.commit();
  }

 private:
  TextOutput out_;
  std::string shown_;
  GrowingBuffer<double> all_;
};

}  // namespace

std::unique_ptr<TableWriter> make_mtx_writer(const std::string& path, const TableLayout& layout) {
  if (layout.sparse) return std::make_unique<CoordinateWriter>(path, layout);
  return std::make_unique<ArrayWriter>(path, layout);
}

}  // namespace dualkpca
