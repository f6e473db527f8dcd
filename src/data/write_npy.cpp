#include <fmt/format.h>

#include <bit>

#include "data/npy_header.hpp"
#include "data/table_writers.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says '<'; another machine must swap the bytes");

class NpyWriter : public TableWriter {
 public:
  NpyWriter(const std::string& path, Index rows, Index cols, Precision precision)
      : file_(path), rows_(rows), cols_(cols), precision_(precision) {
    file_.write(make_npy_header(rows, cols, precision));
  }

  void write(ConstMatrixRef block, const std::vector<std::string>& /*ids*/) override {
    require_columns(block.cols(), cols_);
    Eigen::RowVectorXf narrow;
    for (Index i = 0; i < block.rows(); ++i) {
      const auto row = block.row(i);
      if (precision_ == Precision::float32) {
        narrow = row.cast<float>();
        file_.write(narrow.data(), sizeof(float) * static_cast<std::size_t>(cols_));
      } else {
        file_.write(row.data(), sizeof(double) * static_cast<std::size_t>(cols_));
      }
    }
    written_ += block.rows();
  }

  void commit() override {
    if (written_ != rows_)
      throw InvalidArgument(fmt::format("{} rows were announced for an NPY file, {} were written", rows_, written_));
    file_.commit();
  }

 private:
  OutputFile file_;
  Index rows_, cols_;
  Index written_ = 0;
  Precision precision_;
};

}  // namespace

std::unique_ptr<TableWriter> make_npy_writer(const std::string& path, Index rows, Index cols, Precision precision) {
  if (rows < 0)
    throw InvalidArgument(fmt::format("{}: the number of rows must be known before an NPY file is written", path));
  return std::make_unique<NpyWriter>(path, rows, cols, precision);
}

}  // namespace dualkpca
