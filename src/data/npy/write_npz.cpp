#include <bit>
#include <cstdint>
#include <limits>

#include "data/npy/npy_header.hpp"
#include "data/npy/zip_writer.hpp"
#include "data/packed_rows.hpp"
#include "data/table_writers.hpp"
#include "dualkpca/data/member_path.hpp"

namespace dualkpca {
namespace {

static_assert(std::endian::native == std::endian::little, "the headers say '<'; another machine must swap the bytes");

// Writer of one array. It is stored and not deflated, because floating-point numbers hardly shrink, and a stored array
// can be mapped and read in any order.
class NpzWriter : public TableWriter {
 public:
  NpzWriter(const std::string& file, const std::string& array, const TableLayout& table)
      : TableWriter(table), file_(file), zip_(file_), rows_(table.cols, table.precision) {
    header_ =
        make_npy_header(table.rows < 0 ? std::numeric_limits<Index>::max() : table.rows, table.cols, table.precision);
    zip_.begin(array + ".npy", header_);
  }

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& /*labels*/) override {
    for (Index i = 0; i < block.rows(); ++i) zip_.write(rows_.pack(block, i), rows_.row_bytes());
  }

  void finish() override {
    zip_.end(layout().rows < 0 ? make_npy_header(written(), cols(), layout().precision, header_.size()) : header_);
    zip_.finish();
    file_.commit();
  }

 private:
  OutputFile file_;
  ZipWriter zip_;
  PackedRows rows_;
  std::string header_;
};

// Writer of a sparse matrix as scipy.sparse.save_npz has it. Its arrays follow each other, so the entries are kept in
// memory until the last row.
class SparseNpzWriter : public TableWriter {
 public:
  SparseNpzWriter(const std::string& path, const TableLayout& table) : TableWriter(table), file_(path), zip_(file_) {}

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& /*labels*/) override {
    for (Index i = 0; i < block.rows(); ++i) {
      block.for_each_entry(i, [&](Index j, double value) {
        if (value == 0 && !block.is_sparse()) return;
        columns_.push_back(static_cast<std::int32_t>(j));
        if (layout().precision == Precision::float32)
          narrow_.push_back(static_cast<float>(value));
        else
          values_.push_back(value);
      });
      offsets_.push_back(static_cast<std::int64_t>(columns_.size()));
    }
  }

  void finish() override {
    const std::int64_t shape[2] = {written(), cols()};
    add("indices", "<i4", columns_.data(), columns_.size(), sizeof columns_[0]);
    // SciPy needs both arrays of indices in one type, and would convert them if they differed.
    add("indptr", "<i8", offsets_.data(), offsets_.size(), sizeof offsets_[0]);
    const std::string head = make_npy_header("|S3", "()");
    zip_.begin("format.npy", head);
    zip_.write("csr", 3);
    zip_.end(head);
    add("shape", "<i8", shape, 2, sizeof shape[0]);
    if (layout().precision == Precision::float32)
      add("data", "<f4", narrow_.data(), narrow_.size(), sizeof narrow_[0]);
    else
      add("data", "<f8", values_.data(), values_.size(), sizeof values_[0]);
    zip_.finish();
    file_.commit();
  }

 private:
  void add(const std::string& name, const std::string& descr, const void* items, std::size_t count,
           std::size_t item_bytes) {
    const std::string head = make_npy_header(descr, "(" + std::to_string(count) + ",)");
    zip_.begin(name + ".npy", head);
    zip_.write(items, count * item_bytes);
    zip_.end(head);
  }

  OutputFile file_;
  ZipWriter zip_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<std::int32_t> columns_;
  std::vector<double> values_;
  std::vector<float> narrow_;
};

}  // namespace

std::unique_ptr<TableWriter> make_npz_writer(const std::string& path, const TableLayout& layout) {
  const auto [file, array] = split_member_path(path);
  if (layout.sparse) return std::make_unique<SparseNpzWriter>(file, layout);
  return std::make_unique<NpzWriter>(file, array.empty() ? "X" : array, layout);
}

}  // namespace dualkpca
