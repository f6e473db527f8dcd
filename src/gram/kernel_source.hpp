#pragma once

#include <vector>

#include "core/parallel.hpp"
#include "dualkpca/gram/stored.hpp"
#include "gram/tile_source.hpp"
#include "kernel/rows.hpp"

namespace dualkpca {

/// Copies of chosen rows of either kind, in another width or the same.
template <class From, class To>
class ChosenRows {
 public:
  /// Rows pick(0) .. pick(count - 1).
  template <class Pick>
  ChosenRows(const DenseRows<From>& X, Index count, const Pick& pick) : rows_(count), cols_(X.cols) {
    values_.reserve(static_cast<std::size_t>(count * X.cols));
    for (Index i = 0; i < count; ++i) values_.insert(values_.end(), X.row(pick(i)), X.row(pick(i)) + X.cols);
  }
  template <class Pick>
  ChosenRows(const SparseRows<From>& X, Index count, const Pick& pick) : rows_(count), cols_(X.cols) {
    for (Index i = 0; i < count; ++i) {
      const Index begin = X.offsets[pick(i)], end = X.offsets[pick(i) + 1];
      values_.insert(values_.end(), X.values + begin, X.values + end);
      columns_.insert(columns_.end(), X.columns + begin, X.columns + end);
      offsets_.push_back(static_cast<Index>(values_.size()));
    }
  }
  /// Of the kind of its argument.
  [[nodiscard]] DenseRows<To> view(const DenseRows<From>&) const { return {values_.data(), rows_, cols_, cols_}; }
  [[nodiscard]] SparseRows<To> view(const SparseRows<From>&) const {
    return {offsets_.data(), columns_.data(), values_.data(), rows_, cols_};
  }

 private:
  Index rows_, cols_;
  std::vector<To> values_{};
  std::vector<Index> offsets_{0};
  std::vector<std::int32_t> columns_{};
};

/// K(i, j) = k(x_i, x_j) for rows that outlive this.
template <class T, class Rows>
class KernelSource final : public TileSource<T> {
 public:
  /// Without `exact` exact blocks are taken from the rows.
  KernelSource(std::shared_ptr<const Kernel> kernel, const Rows& X, int threads, ExactBlock exact)
      : kernel_(std::move(kernel)), X_(X), threads_(threads), exact_(std::move(exact)) {}

  void prepare() override {
    norms_.resize(static_cast<std::size_t>(X_.rows));
    for_each_block(X_.rows,
                   [&](Index begin, Index rows) { squared_norms(X_.slice(begin, rows), norms_.data() + begin); });
    X_.norms = norms_.data();
  }

  [[nodiscard]] Index cost_per_entry() const override { return entries_of(X_) / std::max<Index>(1, X_.rows) + 20; }

  void tile(Index row, Index col, const TileRef<T>& out) const override {
    kernel_->tile(X_.slice(row, out.rows), X_.slice(col, out.cols), out);
  }

  void columns(std::span<const Index> indices, MatrixRef out) const override {
    const auto count = static_cast<Index>(indices.size());
    const ChosenRows<T, T> right(X_, count, [&](Index i) { return indices[static_cast<std::size_t>(i)]; });
    for_each_block(out.rows(), [&](Index begin, Index rows) {
      Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(rows, count);
      kernel_->tile(X_.slice(begin, rows), right.view(X_), {values.data(), rows, count, count});
      out.middleRows(begin, rows) = values.template cast<double>();
    });
  }

  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override {
    if (exact_) return exact_(rows, columns, out);
    const ChosenRows<T, double> right(X_, static_cast<Index>(columns.size()),
                                      [&](Index i) { return columns[static_cast<std::size_t>(i)]; });
    for_each_block(out.rows(), [&](Index begin, Index count) {
      const ChosenRows<T, double> left(X_, count, [&](Index i) { return rows[static_cast<std::size_t>(begin + i)]; });
      kernel_->tile(left.view(X_), right.view(X_), {&out(begin, 0), count, out.cols(), out.outerStride()});
    });
  }

 private:
  static Index entries_of(const DenseRows<T>& X) { return X.rows * X.cols; }
  static Index entries_of(const SparseRows<T>& X) { return X.nonzeros(); }

  template <class Work>
  void for_each_block(Index rows, const Work& work) const {
    constexpr Index block = 256;
    parallel_for((rows + block - 1) / block, threads_,
                 [&](Index b, int) { work(b * block, std::min(block, rows - b * block)); });
  }

  std::shared_ptr<const Kernel> kernel_;
  Rows X_;
  int threads_;
  ExactBlock exact_;
  std::vector<T> norms_{};  // of the rows: every tile needs those of two blocks
};

}  // namespace dualkpca
