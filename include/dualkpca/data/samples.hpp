#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Read-only dense rows of one known width; what kernels are evaluated on.
template <class T>
struct DenseRows {
  const T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;  ///< elements from one row to the next

  [[nodiscard]] const T* row(Index i) const { return data + i * stride; }
  [[nodiscard]] DenseRows slice(Index first, Index count) const { return {row(first), count, cols, stride}; }
};

/// Read-only view of n x d samples, float32 or float64; element (i, j) is data[i * row_stride + j * col_stride].
/// Costs nothing to copy; the viewed memory must outlive it. Fortran order and columns of a larger array are views too.
class SamplesView {
 public:
  SamplesView() = default;
  SamplesView(const float* data, Index rows, Index cols) : SamplesView(data, Precision::float32, rows, cols, cols, 1) {}
  SamplesView(const double* data, Index rows, Index cols)
      : SamplesView(data, Precision::float64, rows, cols, cols, 1) {}
  SamplesView(const void* data, Precision precision, Index rows, Index cols, Index row_stride, Index col_stride)
      : data_(data),
        precision_(precision),
        rows_(rows),
        cols_(cols),
        row_stride_(row_stride),
        col_stride_(col_stride) {}
  SamplesView(const Matrix& X) : SamplesView(X.data(), X.rows(), X.cols()) {}  // NOLINT: a Matrix is samples

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  [[nodiscard]] Precision precision() const { return precision_; }
  [[nodiscard]] double operator()(Index i, Index j) const {
    const Index at = i * row_stride_ + j * col_stride_;
    return precision_ == Precision::float32 ? static_cast<double>(static_cast<const float*>(data_)[at])
                                            : static_cast<const double*>(data_)[at];
  }
  [[nodiscard]] SamplesView slice(Index first, Index count) const;
  /// Copies row i, widened, to out[0..cols).
  void copy_row(Index i, double* out) const;
  /// Throws DataError naming the first row and column (counted from 1) that is NaN or infinite.
  void require_finite(const std::string& what) const;

 private:
  const void* data_ = nullptr;
  Precision precision_ = Precision::float64;
  Index rows_ = 0, cols_ = 0, row_stride_ = 0, col_stride_ = 0;
};

/// Samples with their memory: a buffer or a mapped file, shared between copies and never written to again.
class Samples {
 public:
  Samples() = default;
  Samples(std::shared_ptr<const void> memory, SamplesView view) : memory_(std::move(memory)), view_(view) {}
  explicit Samples(Matrix X);
  [[nodiscard]] const SamplesView& view() const { return view_; }

 private:
  std::shared_ptr<const void> memory_;
  SamplesView view_;
};

/// What a data file holds.
struct Dataset {
  Samples samples{};
  std::vector<std::string> feature_names{};  ///< empty if the file names none
  std::vector<std::string> ids{};            ///< one per row, empty without an id column
  std::vector<std::string> labels{};         ///< one per row, empty without a label column
};

}  // namespace dualkpca
