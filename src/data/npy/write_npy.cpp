#include <bit>
#include <limits>

#include "data/npy/npy_header.hpp"
#include "data/packed_rows.hpp"
#include "data/table_writers.hpp"

namespace dualkpca {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says '<'; another machine must swap the bytes");

class NpyWriter : public TableWriter {
 public:
  NpyWriter(const std::string& path, const TableLayout& table)
      : TableWriter(table), file_(path), header_(make_header(table)), rows_(table.cols, table.precision) {
    file_.write(header_);
  }

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& /*labels*/) override {
    for (Index i = 0; i < block.rows(); ++i) file_.write(rows_.pack(block, i), rows_.row_bytes());
  }

  void finish() override {
    if (layout().rows < 0) file_.rewrite(0, make_npy_header(written(), cols(), layout().precision, header_.size()));
    file_.commit();
  }

 private:
  static std::string make_header(const TableLayout& table) {
    return make_npy_header(table.rows < 0 ? std::numeric_limits<Index>::max() : table.rows, table.cols,
                           table.precision);
  }

  OutputFile file_;
  std::string header_;
  PackedRows rows_;
};

}  // namespace

std::unique_ptr<TableWriter> make_npy_writer(const std::string& path, const TableLayout& layout) {
  return std::make_unique<NpyWriter>(path, layout);
}

}  // namespace dualkpca
