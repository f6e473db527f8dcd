#include <fmt/format.h>

#include <memory>

#include "core/growing_buffer.hpp"
#include "data/mtx/mtx_streams.hpp"
#include "data/pending_rows.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Stream of an array file. Its numbers come column by column; a symmetric matrix has only those on and below the
// diagonal.
class DenseMtxStream : public DataStream {
 public:
  DenseMtxStream(Lines& lines, const MtxHeader& header) : rows_(header.rows), cols_(header.cols) {
    const auto numbers = std::make_shared<GrowingBuffer<double>>();
    const Index triangle = rows_ % 2 == 0 ? rows_ / 2 * (rows_ + 1) : (rows_ + 1) / 2 * rows_;
    const Index declared = header.symmetry == MtxSymmetry::general     ? rows_ * cols_
                           : header.symmetry == MtxSymmetry::symmetric ? triangle
                                                                       : triangle - rows_;
    read_numbers(lines, header, declared, *numbers);
    if (header.symmetry == MtxSymmetry::general)
      pending_ = make_pending(numbers);
    else
      pending_ = make_pending(mirror(*numbers, header.symmetry));
  }

  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return cols_; }
  [[nodiscard]] bool is_sparse() const override { return false; }
  [[nodiscard]] Dataset next(Index most) override { return pending_.take(most); }

 private:
  static void read_numbers(Lines& lines, const MtxHeader& header, Index declared, GrowingBuffer<double>& numbers) {
    for (std::string_view line; lines.next(line);) {
      if (line.starts_with('%')) continue;
      for (std::string_view rest = line; !take_word(rest).empty(); rest = line) {
        if (static_cast<Index>(numbers.size()) == declared)
          refuse_line(lines, fmt::format("there are more than the {} numbers of the size declared on line {}", declared,
                                         header.size_line));
        numbers.push_back(take_value(lines, line));
      }
    }
    if (static_cast<Index>(numbers.size()) < declared)
      throw DataError(fmt::format("{}: the file is cut short: {} numbers found, {} belong to the size on line {}",
                                  lines.name(), numbers.size(), declared, header.size_line));
  }

  // Returns all columns of a symmetric matrix.
  [[nodiscard]] std::shared_ptr<GrowingBuffer<double>> mirror(const GrowingBuffer<double>& half,
                                                              MtxSymmetry symmetry) const {
    auto full = std::make_shared<GrowingBuffer<double>>();
    double* out = full->extend(static_cast<std::size_t>(rows_ * cols_));
    const double* in = half.data();
    const bool is_skew = symmetry == MtxSymmetry::skew;
    for (Index j = 0; j < cols_; ++j)
      for (Index i = is_skew ? j + 1 : j; i < rows_; ++i, ++in) {
        out[i * cols_ + j] = is_skew ? -*in : *in;
        out[j * cols_ + i] = *in;
      }
    return full;
  }

  [[nodiscard]] PendingRows make_pending(const std::shared_ptr<GrowingBuffer<double>>& numbers) const {
    const SamplesView view(numbers->data(), Precision::float64, rows_, cols_, 1, rows_);
    return PendingRows(Dataset{.samples = Samples(numbers, view)});
  }

  Index rows_, cols_;
  PendingRows pending_{};
};

}  // namespace

std::unique_ptr<DataStream> open_mtx_array(Lines& lines, const MtxHeader& header) {
  return std::make_unique<DenseMtxStream>(lines, header);
}

}  // namespace dualkpca
