#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Read-only dense rows of the type T, on which kernels are evaluated.
template <class T>
struct DenseRows {
  const T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;          ///< elements from one row to the next
  const T* norms = nullptr;  ///< squared norms of the rows, or null; they save time in kernels of the distance

  [[nodiscard]] const T* row(Index i) const { return data + i * stride; }
  [[nodiscard]] DenseRows slice(Index first, Index count) const {
    return {row(first), count, cols, stride, norms == nullptr ? nullptr : norms + first};
  }
};

/// Read-only compressed sparse rows (CSR) of the type T.
template <class T>
struct SparseRows {
  const Index* offsets = nullptr;         ///< rows + 1 places; the entries of row i are offsets[i]..offsets[i + 1] - 1
  const std::int32_t* columns = nullptr;  ///< columns of the entries, from 0, ascending within a row
  const T* values = nullptr;              ///< values of the entries
  Index rows = 0;
  Index cols = 0;
  const T* norms = nullptr;  ///< squared norms of the rows, or null

  [[nodiscard]] Index nonzeros() const { return rows == 0 ? 0 : offsets[rows] - offsets[0]; }
  [[nodiscard]] SparseRows slice(Index first, Index count) const {
    return {offsets + first, columns, values, count, cols, norms == nullptr ? nullptr : norms + first};
  }
};

class Samples;

/// Read-only view of n x d samples in float32 or float64. It is either dense, with element (i, j) at
/// data[i * row_stride + j * col_stride], or sparse (CSR). Fortran order and columns of a larger array are views too. A
/// view costs nothing to copy, and the viewed memory must outlive it.
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
  SamplesView(const DenseRows<float>& X)                                       // NOLINT: rows of either kind are, too
      : SamplesView(X.data, Precision::float32, X.rows, X.cols, X.stride, 1) {}
  SamplesView(const DenseRows<double>& X)  // NOLINT
      : SamplesView(X.data, Precision::float64, X.rows, X.cols, X.stride, 1) {}
  SamplesView(const SparseRows<float>& X)  // NOLINT
      : SamplesView(X.offsets, X.columns, X.values, Precision::float32, X.rows, X.cols) {}
  SamplesView(const SparseRows<double>& X)  // NOLINT
      : SamplesView(X.offsets, X.columns, X.values, Precision::float64, X.rows, X.cols) {}

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  [[nodiscard]] Precision precision() const { return precision_; }
  [[nodiscard]] bool empty() const { return rows_ == 0; }
  [[nodiscard]] bool is_sparse() const { return offsets_ != nullptr; }
  /// Returns true if the view is dense and the entries of a row follow each other.
  [[nodiscard]] bool is_row_major() const { return !is_sparse() && col_stride_ == 1; }
  /// Returns the number of stored entries, which are all of them in a dense view.
  [[nodiscard]] Index nonzeros() const;
  /// Returns element (i, j). In a sparse view this takes a search in the row.
  [[nodiscard]] double operator()(Index i, Index j) const {
    if (is_sparse()) return sparse_at(i, j);
    const Index at = i * row_stride_ + j * col_stride_;
    return precision_ == Precision::float32 ? static_cast<double>(static_cast<const float*>(data_)[at])
                                            : static_cast<const double*>(data_)[at];
  }
  [[nodiscard]] SamplesView slice(Index first, Index count) const;
  /// Copies row i to out[0..cols), converted to float64, with its zeros.
  void copy_row(Index i, double* out) const;
  /// Calls visit(column, value) for every stored entry of row i, in order of the columns.
  template <class Visit>
  void for_each_entry(Index i, const Visit& visit) const;
  /// Returns the rows as they are stored. The view must be dense, in row-major order and of the precision of T.
  template <class T>
  [[nodiscard]] DenseRows<T> dense() const {
    return {static_cast<const T*>(data_), rows_, cols_, row_stride_};
  }
  /// Returns the rows as they are stored. The view must be sparse and of the precision of T.
  template <class T>
  [[nodiscard]] SparseRows<T> sparse() const {
    return {offsets_, columns_, static_cast<const T*>(data_), rows_, cols_};
  }
  /// Returns a copy of the rows with these indices, in this order, dense or sparse as the view is. The copy has the
  /// precision of the view unless another one is given.
  [[nodiscard]] Samples pick(std::span<const Index> indices) const;
  [[nodiscard]] Samples pick(std::span<const Index> indices, Precision precision) const;
  /// Returns a copy of all rows, dense and in float64.
  [[nodiscard]] Matrix to_matrix() const;
  /// Throws DataError if a value is NaN or infinite, naming its row (counted from `first_row` + 1) and column (from 1).
  /// Throws it also for a sparse view whose columns are out of range or not ascending. `what` is the name of the data,
  /// for the message.
  void require_finite(const std::string& what, Index first_row = 0) const;

 private:
  SamplesView(const Index* offsets, const std::int32_t* columns, const void* values, Precision precision, Index rows,
              Index cols)
      : data_(values), precision_(precision), rows_(rows), cols_(cols), offsets_(offsets), columns_(columns) {}
  [[nodiscard]] double sparse_at(Index i, Index j) const;
  void require_ascending(const std::string& what, Index first_row) const;

  const void* data_ = nullptr;  ///< elements; in a sparse view the stored values
  Precision precision_ = Precision::float64;
  Index rows_ = 0, cols_ = 0, row_stride_ = 0, col_stride_ = 0;
  const Index* offsets_ = nullptr;
  const std::int32_t* columns_ = nullptr;
};

template <class Visit>
void SamplesView::for_each_entry(Index i, const Visit& visit) const {
  const auto walk = [&](const auto* data) {
    if (is_sparse())
      for (Index e = offsets_[i]; e < offsets_[i + 1]; ++e)
        visit(static_cast<Index>(columns_[e]), static_cast<double>(data[e]));
    else
      for (Index j = 0; j < cols_; ++j) visit(j, static_cast<double>(data[i * row_stride_ + j * col_stride_]));
  };
  if (precision_ == Precision::float32)
    walk(static_cast<const float*>(data_));
  else
    walk(static_cast<const double*>(data_));
}

/// Sparse rows (CSR) that own their memory and can grow row by row.
template <class T>
struct CsrRows {
  std::vector<Index> offsets{0};  ///< rows + 1 places
  std::vector<std::int32_t> columns{};
  std::vector<T> values{};
  Index cols = 0;

  [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
  [[nodiscard]] SparseRows<T> view() const { return {offsets.data(), columns.data(), values.data(), rows(), cols}; }
};
using CsrMatrix = CsrRows<double>;

/// Samples that own their memory: a buffer or a mapped file, which copies share and nobody writes to again.
class Samples {
 public:
  Samples() = default;
  Samples(std::shared_ptr<const void> memory, SamplesView view) : memory_(std::move(memory)), view_(view) {}
  explicit Samples(Matrix X);
  explicit Samples(CsrRows<float> X);
  explicit Samples(CsrRows<double> X);
  /// Takes dense rows in row-major order, rows x cols values.
  Samples(std::vector<float> values, Index rows, Index cols);
  Samples(std::vector<double> values, Index rows, Index cols);
  [[nodiscard]] const SamplesView& view() const { return view_; }
  /// Returns `count` rows from `first` on, which share the memory.
  [[nodiscard]] Samples slice(Index first, Index count) const { return {memory_, view_.slice(first, count)}; }
  /// Returns a copy of the rows with these indices, in this order.
  [[nodiscard]] Samples pick(std::span<const Index> indices) const { return view_.pick(indices); }

 private:
  std::shared_ptr<const void> memory_;
  SamplesView view_;
};

/// Content of a data file.
struct Dataset {
  Samples samples{};
  std::vector<std::string> feature_names{};  ///< names of the columns; empty if the file has none
  std::vector<std::string> ids{};            ///< one per row; empty without an id column
  std::vector<std::string> labels{};         ///< one per row; empty without a label column
  std::size_t bytes = 0;                     ///< memory that all of this takes; 0 for a block and for a mapped file
};

}  // namespace dualkpca
