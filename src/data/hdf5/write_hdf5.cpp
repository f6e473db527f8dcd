#include <fmt/format.h>

#include <cstdint>

#include "data/hdf5/hdf5_output.hpp"
#include "data/io/text.hpp"
#include "data/packed_rows.hpp"
#include "data/table_writers.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/member_path.hpp"

namespace dualkpca {
namespace {

hid_t native_type(Precision precision) {
  return precision == Precision::float32 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}
hid_t stored_type(Precision precision) { return precision == Precision::float32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE; }

class Hdf5Writer : public TableWriter {
 public:
  Hdf5Writer(const std::string& file, const std::string& name, const TableLayout& table)
      : TableWriter(table), out_(file), rows_(table.cols, table.precision) {
    dataset_ = out_.make_dataset(out_.file(), name, stored_type(table.precision), 2, table.cols);
  }

 protected:
  // Collects rows until they fill a chunk, so that it is compressed once.
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& /*labels*/) override {
    for (Index i = 0; i < block.rows(); ++i) {
      const char* row = rows_.pack(block, i);
      waiting_.insert(waiting_.end(), row, row + rows_.row_bytes());
      if (++waiting_rows_ == Hdf5Output::chunk_rows(rows_.row_bytes())) flush();
    }
  }

  void finish() override {
    flush();
    out_.close(dataset_);
    out_.commit();
  }

 private:
  void flush() {
    out_.append(dataset_, native_type(layout().precision), 2, stored_rows_, waiting_rows_, cols(), waiting_.data());
    stored_rows_ += waiting_rows_;
    waiting_rows_ = 0;
    waiting_.clear();
  }

  Hdf5Output out_;
  Hdf5Handle dataset_;
  PackedRows rows_;
  std::vector<char> waiting_;
  Index waiting_rows_ = 0, stored_rows_ = 0;
};

// Writer of a sparse matrix as anndata has it: https://anndata.readthedocs.io/en/latest/fileformat-prose.html
class SparseHdf5Writer : public TableWriter {
 public:
  SparseHdf5Writer(const std::string& file, const std::string& name, const TableLayout& table)
      : TableWriter(table), out_(file) {
    group_ = out_.make_group(name);
    out_.set_text(group_, "encoding-type", "csr_matrix");
    out_.set_text(group_, "encoding-version", "0.1.0");
    values_ = out_.make_dataset(group_.id(), "data", stored_type(table.precision), 1);
    columns_ = out_.make_dataset(group_.id(), "indices", H5T_STD_I32LE, 1);
    offsets_ = out_.make_dataset(group_.id(), "indptr", H5T_STD_I64LE, 1);
    const std::int64_t zero = 0;
    out_.append(offsets_, H5T_NATIVE_INT64, 1, 0, 1, 1, &zero);
  }

 protected:
  void write_block(const SamplesView& block, const std::vector<std::string>& /*ids*/,
                   const std::vector<std::string>& /*labels*/) override {
    std::vector<double> values;
    std::vector<std::int32_t> columns;
    std::vector<std::int64_t> ends;
    for (Index i = 0; i < block.rows(); ++i) {
      block.for_each_entry(i, [&](Index j, double value) {
        if (value == 0 && !block.is_sparse()) return;
        columns.push_back(static_cast<std::int32_t>(j));
        values.push_back(value);
      });
      ends.push_back(entries_ + static_cast<Index>(columns.size()));
    }
    const auto count = static_cast<Index>(columns.size());
    out_.append(values_, H5T_NATIVE_DOUBLE, 1, entries_, count, 1, values.data());
    out_.append(columns_, H5T_NATIVE_INT32, 1, entries_, count, 1, columns.data());
    out_.append(offsets_, H5T_NATIVE_INT64, 1, written() + 1, block.rows(), 1, ends.data());
    entries_ += count;
  }

  void finish() override {
    const std::int64_t shape[2] = {written(), cols()};
    out_.set_integers(group_, "shape", shape, 2);
    for (Hdf5Handle* handle : {&values_, &columns_, &offsets_, &group_}) out_.close(*handle);
    out_.commit();
  }

 private:
  Hdf5Output out_;
  Hdf5Handle group_, values_, columns_, offsets_;
  Index entries_ = 0;
};

}  // namespace

std::unique_ptr<TableWriter> make_hdf5_writer(const std::string& path, const TableLayout& layout) {
  const auto [file, wanted] = split_member_path(path);
  const std::string name = wanted.empty() ? "/X" : wanted.starts_with('/') ? wanted : "/" + wanted;
  if (name.ends_with('/'))
    throw InvalidArgument(
        fmt::format("{}: {} is not the name of a dataset: it ends in /", printable_path(file), in_quotes(name)));
  if (layout.sparse) return std::make_unique<SparseHdf5Writer>(file, name, layout);
  return std::make_unique<Hdf5Writer>(file, name, layout);
}

}  // namespace dualkpca
